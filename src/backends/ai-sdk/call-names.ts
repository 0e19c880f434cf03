import { type AiSdkPart, type AiSdkToolPart, isToolPart } from './ui-message.ts';

/** The part of a call: in a message of the AI SDK, or of the page. */
type Call = Pick<AiSdkToolPart, 'toolCallId'>;

/**
 * The ids of calls on the page. Some providers count `call_0` anew in each step, and the parts of the page need ids of their own: the
 * second call with the id is `call_0#2` there. The server knows the id of the wire alone.
 */
export class CallNames {
  readonly #names = new WeakMap<Call, string>();
  readonly #taken = new Set<string>();

  /** @param parts the parts of a message, whose calls are named in order */
  constructor(parts: readonly AiSdkPart[] = []) {
    for (const part of parts) if (isToolPart(part)) this.of(part);
  }

  /** Returns the id of a call on the page. Names the call when it is first seen. */
  of(part: Call): string {
    const known = this.#names.get(part);
    if (known !== undefined) return known;
    const { toolCallId } = part;
    let name = toolCallId;
    // A server may itself call a call `call_0#2`.
    for (let count = 2; this.#taken.has(name); count += 1) name = `${toolCallId}#${count}`;
    this.#taken.add(name);
    this.#names.set(part, name);
    return name;
  }

  /** Lets the next call have the id of one that was taken back. */
  release(part: Call): void {
    this.#taken.delete(this.of(part));
  }
}

/** Returns the call of a message that has this id on the page. */
export function findNamed(parts: readonly AiSdkPart[], name: string): AiSdkToolPart | undefined {
  const calls = parts.filter(isToolPart);
  const names = new CallNames(parts);
  const found = calls.find((part) => names.of(part) === name);
  // A call that was asked about and then taken back keeps its number, so that the later ones of its id have higher ones.
  return found ?? calls.findLast(({ toolCallId }) => name.replace(/#\d+$/, '') === toolCallId);
}
