/** What of a browser's request for a run, a session or a message is taken, and what the server says itself. */
import { isRecord } from '../../shared/json.ts';

/** The part of a spec that is the server's (Mantyx protocol 0.11, section 2): the agent, its model, tools and limits. */
export type MantyxServerSpec = Readonly<Record<string, unknown>>;

/** What is asked for. */
export interface MantyxStart {
  /** A `message` goes to a session that has its spec: this is asked when it brings tools anew, and only `tools` count. */
  readonly use: 'run' | 'session' | 'message';
  readonly userId: string;
  /** What the browser sent, as it came. Nothing in it is trusted. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly request: Request;
}

/** Tools a browser answers itself. It may declare them, because nobody else is made to do anything. */
const CLIENT_TOOLS: readonly unknown[] = ['local', 'a2a_local', 'mcp_local'];
const INPUT = ['prompt', 'messages', 'tools'];

/** The body to send, or the reason why nothing is sent. */
export type StartBody =
  | { readonly body: Readonly<Record<string, unknown>>; readonly refusal?: undefined }
  | { readonly refusal: string };

/**
 * The server's spec with the browser's words in it. A browser says `prompt` or `messages`, and declares tools it answers
 * itself; fields beyond need a permit, because a system prompt, a stored tool or a model is not the browser's to choose.
 * What is not taken is refused and not dropped: the page would wait for what it thinks it asked for.
 */
export function toStartBody(
  asked: Readonly<Record<string, unknown>>,
  spec: MantyxServerSpec,
  allow: readonly string[],
): StartBody {
  const { prompt, messages, tools } = asked;
  const stranger = Object.keys(asked).find((field) => !INPUT.includes(field) && !allow.includes(field));
  if (stranger !== undefined) {
    return {
      refusal: `${stranger} is for the server to say. Leave it out of createMantyxTransport, or name it in \`allow\` of createMantyxProxy.`,
    };
  }
  if (
    Array.isArray(messages) &&
    messages.some((message) => !isRecord(message) || message.role === 'system')
  ) {
    return { refusal: 'messages of a browser are of the user and the assistant.' };
  }
  if (tools !== undefined && !Array.isArray(tools)) return { refusal: 'tools must be a list.' };
  const foreign = (tools ?? []).find((tool) => !isRecord(tool) || !CLIENT_TOOLS.includes(tool.kind));
  if (foreign !== undefined) {
    return { refusal: 'tools of a browser are those it answers itself: local, a2a_local and mcp_local.' };
  }
  const own = Array.isArray(spec.tools) ? spec.tools : [];
  const allTools =
    spec.tools === undefined && tools === undefined ? {} : { tools: [...own, ...(tools ?? [])] };
  const allowed = Object.fromEntries(Object.entries(asked).filter(([field]) => allow.includes(field)));
  return {
    body: {
      ...allowed,
      ...spec,
      ...(prompt === undefined ? {} : { prompt }),
      ...(messages === undefined ? {} : { messages }),
      ...allTools,
    },
  };
}
