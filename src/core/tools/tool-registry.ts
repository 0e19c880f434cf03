import { invalidOptions } from '../../shared/errors.ts';
import { hasOwn } from '../../shared/json.ts';
import { findDefinitionFault, isDefinition } from './check-definition.ts';
import type { ClientTool, ClientTools } from './client-tool.ts';

/** A tool that is registered at a chat, until it is unregistered. */
export interface ToolRegistration {
  /** The tool that had the name before: one that is registered as well, or one of `clientTools`. Absent where the name was free. */
  readonly replaces?: 'registered' | 'declared';
  /** Puts another tool in its place, for the calls and the questions that come from now on. */
  update(tool: ClientTool): void;
  /** Removes the tool. A handler that runs goes on to its end, and a call that waits for a person goes on waiting. */
  unregister(): void;
}

/** The calls that may wait for a tool. */
interface ToolWatcher {
  /** A tool was registered or unregistered. */
  onToolChanged(toolName: string): void;
  /** Another tool was put in the place of one. */
  readonly refresh: () => void;
}

interface Entry {
  readonly name: string;
  tool: ClientTool;
}

/** The tools of a chat: those that the app declares, and those that are registered at the moment. */
export class ToolRegistry {
  readonly #options: () => { readonly clientTools?: ClientTools };
  readonly #calls: () => ToolWatcher;
  /** The latest one comes last, and wins. */
  #entries: readonly Entry[] = [];

  constructor(options: () => { readonly clientTools?: ClientTools }, calls: () => ToolWatcher) {
    this.#options = options;
    this.#calls = calls;
  }

  /** Returns all tools by name, as they are now. */
  readonly read = (): ClientTools => ({
    ...this.#options().clientTools,
    ...Object.fromEntries(this.#entries.map(({ name, tool }) => [name, tool])),
  });

  /** @throws AgentChatError `invalid_options` without a name, or for a definition that the engine could not use */
  readonly register = (name: string, tool: ClientTool): ToolRegistration => {
    if (typeof name !== 'string' || name === '')
      throw invalidOptions('A tool is registered under a name that is not empty.');
    const fault = isDefinition(tool) ? findDefinitionFault(tool) : undefined;
    if (fault !== undefined) throw invalidOptions(`Tool ${name}: ${fault}`);
    const isRegistered = this.#entries.some((other) => other.name === name);
    const isTaken = hasOwn(this.read(), name);
    const entry: Entry = { name, tool };
    this.#entries = [...this.#entries, entry];
    this.#calls().onToolChanged(name);
    return {
      ...(isTaken && { replaces: isRegistered ? 'registered' : 'declared' }),
      update: (next) => {
        entry.tool = next;
        // A component updates its tool while React renders, when nobody may be told of a change.
        queueMicrotask(this.#calls().refresh);
      },
      unregister: () => {
        if (!this.#entries.includes(entry)) return;
        this.#entries = this.#entries.filter((other) => other !== entry);
        this.#calls().onToolChanged(name);
      },
    };
  };
}
