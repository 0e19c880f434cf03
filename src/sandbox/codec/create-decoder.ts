/** {@link Packed} -> values, on both sides of the border. The decoder makes only plain data, even from a forged text. */
import type { Packed } from './create-encoder.ts';
import type { Intrinsics } from './intrinsics.ts';

export interface DecodeOptions {
  /** Makes a function that calls the bridge with this id. Without this option a function is malformed. */
  readonly bridge?: (id: number) => unknown;
}

/** @throws TypeError when the encoder did not make the text, or when the text names a class that this engine lacks. */
export type Decode = (packed: Packed, options?: DecodeOptions) => unknown;

export function createDecoder(intrinsics: Intrinsics): Decode {
  const { isArray, mapSet, setAdd } = intrinsics;

  return (packed, options = {}) => {
    const parts: unknown = intrinsics.parse(packed.text);
    if (!isArray(parts) || parts.length === 0) throw malformed('no value');
    const shells: unknown[] = [];
    // All objects exist before the first one is filled, so a cycle finds its target.
    for (let index = 1; index < parts.length; index++) shells[index - 1] = shell(parts[index]);
    for (let index = 1; index < parts.length; index++)
      fill(shells[index - 1], parts[index] as readonly unknown[]);
    return value(parts[0]);

    function shell(node: unknown): unknown {
      if (!isArray(node)) throw malformed('a node that is not a list');
      switch (node[0]) {
        case 'A':
        case 'O':
          return node[0] === 'A' ? [] : {};
        case 'D':
          return new intrinsics.Date(node[1] === null ? Number.NaN : number(node[1]));
        case 'R':
          return new intrinsics.RegExp(string(node[1]), string(node[2]));
        case 'M':
          return new intrinsics.Map();
        case 'S':
          return new intrinsics.Set();
        case 'X':
          return buffer(node[1]);
        case 'V':
          return view(string(node[1]), buffer(node[2]));
        case 'E':
          return error(string(node[1]), string(node[2]), string(node[3]));
        case 'F':
          if (options.bridge === undefined) throw malformed('a function where none is allowed');
          return options.bridge(number(node[1]));
        default:
          throw malformed('an unknown kind of node');
      }
    }

    function fill(target: unknown, node: readonly unknown[]): void {
      switch (node[0]) {
        case 'A':
          for (let index = 1; index < node.length; index++) {
            if (isHole(node[index])) (target as unknown[]).length = index;
            else assign(target as object, index - 1, value(node[index]));
          }
          return;
        case 'O':
          for (let index = 1; index < node.length; index += 2) {
            assign(target as object, string(node[index]), value(node[index + 1]));
          }
          return;
        case 'M':
          for (let index = 1; index < node.length; index += 2) {
            mapSet(target as object, value(node[index]), value(node[index + 1]));
          }
          return;
        case 'S':
          for (let index = 1; index < node.length; index++) setAdd(target as object, value(node[index]));
          return;
        case 'E':
          if (node.length > 4) hide(target as object, 'cause', value(node[4]));
      }
    }

    function value(slot: unknown): unknown {
      if (typeof slot !== 'object' || slot === null) return slot;
      const [kind, payload] = slot as readonly unknown[];
      if (typeof kind === 'number') {
        if (!(kind in shells)) throw malformed('a reference to nothing');
        return shells[kind];
      }
      switch (kind) {
        case 'u':
          return undefined;
        case 'n':
          return payload === '-0'
            ? -0
            : payload === 'NaN'
              ? Number.NaN
              : payload === '-Infinity'
                ? -Infinity
                : Infinity;
        case 'b':
          return bigint(string(payload));
        default:
          throw malformed('an unknown kind of value');
      }
    }

    function buffer(index: unknown): ArrayBuffer {
      const found = packed.buffers[number(index)];
      if (found === undefined) throw malformed('binary data that is missing');
      return found;
    }
  };

  function view(kind: string, bytes: ArrayBuffer): object {
    const View = intrinsics.views[kind];
    if (View === undefined)
      throw new intrinsics.TypeError(`${kind} does not exist on the other side of the sandbox`);
    return new View(bytes);
  }

  function error(name: string, message: string, stack: string): Error {
    const made = new (intrinsics.errors[name] ?? intrinsics.Error)(message);
    if (made.name !== name) hide(made, 'name', name);
    // The error's own stack has frames of this function, which reveal paths of the host.
    hide(made, 'stack', stack);
    return made;
  }

  function hide(target: object, key: string, value: unknown): void {
    intrinsics.defineProperty(target, key, { value, writable: true, configurable: true, enumerable: false });
  }

  /** Makes an own property, even if the prototype has a setter of that name or the name is `__proto__`. */
  function assign(target: object, key: string | number, value: unknown): void {
    if (key in target) {
      intrinsics.defineProperty(target, key, { value, writable: true, configurable: true, enumerable: true });
    } else {
      (target as Record<string | number, unknown>)[key] = value;
    }
  }

  function bigint(hex: string): bigint {
    const negative = hex[0] === '-';
    const magnitude = intrinsics.BigInt(`0x${negative ? hex.slice(1) : hex}`);
    return negative ? -magnitude : magnitude;
  }

  function isHole(slot: unknown): boolean {
    return typeof slot === 'object' && slot !== null && (slot as readonly unknown[])[0] === 'h';
  }

  function string(part: unknown): string {
    if (typeof part !== 'string') throw malformed('a part that is not a text');
    return part;
  }

  function number(part: unknown): number {
    if (typeof part !== 'number') throw malformed('a part that is not a number');
    return part;
  }

  function malformed(problem: string): TypeError {
    return new intrinsics.TypeError(`A value from the other side of the sandbox is malformed: ${problem}`);
  }
}
