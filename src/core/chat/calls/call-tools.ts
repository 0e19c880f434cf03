import type { Clock } from '../../../shared/clock.ts';
import { hasOwn } from '../../../shared/json.ts';
import type { PendingToolCall } from '../../protocol/events.ts';
import type { ToolCall } from '../../state/tool-call.ts';
import type { ClientToolDefinition, ClientTools } from '../../tools/client-tool.ts';
import { describeTool, findTool, joinTools } from '../../tools/find-tool.ts';
import type { AgentTransport } from '../../transport/agent-transport.ts';

export interface CallToolsContext {
  readonly clock: Clock;
  readonly transport: Pick<AgentTransport, 'clientTool'>;
  /** The tools of the page by name, as they are right now. */
  readonly tools: () => ClientTools;
  /** The options as they are right now. */
  readonly options: () => { readonly registrationGraceMs?: number };
}

/** How long a call waits for the component that brings its tool: a lazy part of the page is loaded by then. */
const GRACE_MS = 1_000;

interface Waiting {
  readonly goOn: () => void;
  readonly cancel: () => void;
}

/** Finds the tools of calls. A call whose tool is not on the page waits a short time for it, because a component may bring it. */
export class CallTools {
  readonly #context: CallToolsContext;
  /** The calls that wait for their tools, by their keys. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(context: CallToolsContext) {
    this.#context = context;
  }

  /** Returns the tool as it is right now, or a text for the agent that says why the call cannot have one. */
  find(request: PendingToolCall): ClientToolDefinition | string {
    const { transport, tools } = this.#context;
    return joinTools(findTool(tools(), request.toolName), transport.clientTool?.(request));
  }

  /** True if this page has no tool for a call that it has to answer. */
  isMissing({ request }: ToolCall): boolean {
    const isKnown = hasOwn(this.#context.tools(), request.toolName) || request.mayAnswer === false;
    return !isKnown && typeof this.find(request) === 'string';
  }

  /**
   * True if people would read another text of the tool than this one, see `describeTool`. A tool that is missing was not redefined: a
   * component that brings it may be back at once.
   */
  isRedefined(request: PendingToolCall, definition: string | undefined): boolean {
    const tool = this.find(request);
    return typeof tool !== 'string' && describeTool(request.toolName, tool) !== definition;
  }

  /** Waits for the tool of a call. `goOn` is called by {@link arrived}, `giveUp` if the tool does not come in time. */
  await({ key }: ToolCall, goOn: () => void, giveUp: () => void): void {
    this.forget(key);
    const { clock, options } = this.#context;
    const cancel = clock.after(options().registrationGraceMs ?? GRACE_MS, () => {
      this.#waiting.delete(key);
      giveUp();
    });
    this.#waiting.set(key, { goOn, cancel });
  }

  /** The tool of a call has come. Returns false if the call did not wait for it. */
  arrived(key: string): boolean {
    const waiting = this.forget(key);
    waiting?.goOn();
    return waiting !== undefined;
  }

  /** The call no longer waits for its tool. */
  forget(key: string): Waiting | undefined {
    const waiting = this.#waiting.get(key);
    waiting?.cancel();
    this.#waiting.delete(key);
    return waiting;
  }

  /** No call waits for its tool any more. */
  clear(): void {
    for (const key of this.#waiting.keys()) this.forget(key);
  }
}
