/** Combines a browser's request for a run, a session or a message with the server's spec. */
import { isRecord } from '../../../shared/json.ts';

/** The part of a spec that is the server's (Mantyx protocol 0.11, section 2): the agent, its model, tools and limits. */
export type MantyxServerSpec = Readonly<Record<string, unknown>>;

/** The argument of `spec` of `createMantyxProxy`. */
export interface MantyxStart {
  /** For a `message`, `spec` is called only if the message has tools, and only its `tools` are used: the session has its spec. */
  readonly use: 'run' | 'session' | 'message';
  readonly userId: string;
  /** The body the browser sent. Do not trust it. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly request: Request;
}

/** Kinds of tools that the browser answers itself. It may declare them, because only the browser runs them. */
const CLIENT_TOOLS: readonly unknown[] = ['local', 'a2a_local', 'mcp_local'];
const INPUT = ['prompt', 'messages', 'tools'];

/** The body to send, or the reason why nothing is sent. */
export type StartBody =
  | { readonly body: Readonly<Record<string, unknown>>; readonly refusal?: undefined }
  | { readonly refusal: string };

/**
 * Adds the browser's fields to the server's spec. A browser may send `prompt` or `messages`, and declare tools it answers itself.
 * Further fields must be in `allow`, because a browser must not choose a system prompt, a stored tool or a model. Other fields
 * are refused and not dropped, because the page would expect them to work.
 */
export function toStartBody(
  sent: Readonly<Record<string, unknown>>,
  spec: MantyxServerSpec,
  allow: readonly string[],
): StartBody {
  const { prompt, messages, tools } = sent;
  const forbidden = Object.keys(sent).find((field) => !INPUT.includes(field) && !allow.includes(field));
  if (forbidden !== undefined) {
    return {
      refusal: `${forbidden} is for the server to say. Leave it out of createMantyxTransport, or name it in \`allow\` of createMantyxProxy.`,
    };
  }
  if (
    Array.isArray(messages) &&
    messages.some((message) => !isRecord(message) || message.role === 'system')
  ) {
    return { refusal: 'messages of a browser must have the role user or assistant.' };
  }
  if (tools !== undefined && !Array.isArray(tools)) return { refusal: 'tools must be a list.' };
  const foreign = (tools ?? []).find((tool) => !isRecord(tool) || !CLIENT_TOOLS.includes(tool.kind));
  if (foreign !== undefined) {
    return { refusal: 'tools of a browser must be tools it answers itself: local, a2a_local and mcp_local.' };
  }
  const own = Array.isArray(spec.tools) ? spec.tools : [];
  const allTools =
    spec.tools === undefined && tools === undefined ? {} : { tools: [...own, ...(tools ?? [])] };
  const allowed = Object.fromEntries(Object.entries(sent).filter(([field]) => allow.includes(field)));
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
