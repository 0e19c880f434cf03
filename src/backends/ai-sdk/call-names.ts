import type { AiSdkToolPart } from './ui-message.ts';

/**
 * The ids of calls on the page. Some providers count `call_0` anew in each step, and the parts of the page need ids of their own: the
 * second call with the id is `call_0#2` there. The server knows the id of the wire alone.
 */
export class CallNames {
  readonly #names = new WeakMap<AiSdkToolPart, string>();
  /** The number of calls by the id of the wire. */
  readonly #counts = new Map<string, number>();

  /** Names a call when it is first seen. */
  of(part: AiSdkToolPart): string {
    const known = this.#names.get(part);
    if (known !== undefined) return known;
    const { toolCallId } = part;
    const count = (this.#counts.get(toolCallId) ?? 0) + 1;
    this.#counts.set(toolCallId, count);
    const name = count === 1 ? toolCallId : `${toolCallId}#${count}`;
    this.#names.set(part, name);
    return name;
  }

  /** Lets the next call have the id of one that was taken back. */
  release({ toolCallId }: AiSdkToolPart): void {
    this.#counts.set(toolCallId, (this.#counts.get(toolCallId) ?? 1) - 1);
  }
}

/** True if a call of the page has this id on the wire. */
export function isNamed(toolCallId: string, name: string): boolean {
  return name === toolCallId || name.replace(/#\d+$/, '') === toolCallId;
}
