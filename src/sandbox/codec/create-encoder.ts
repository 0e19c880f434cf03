/** Values -> {@link Packed}, on both sides of the border. The encoder calls only built-ins that no program can replace. */
import { createClassifier, type Kind } from './create-classifier.ts';
import type { Intrinsics } from './intrinsics.ts';

/**
 * The form of a value between the page and the sandbox: a JSON text, and its binary data in buffers.
 *
 * The text is `[root, node, node, ...]`. A slot is a JSON primitive, or
 * `[3]` (node 3), `["u"]` undefined, `["h"]` a hole, `["n", "NaN"]` a number JSON lacks, `["b", "-ff"]` a bigint in
 * hex. A node is `["A", ...slots]`, `["O", key, slot, ...]`, `["D", ms]`, `["R", source, flags]`,
 * `["M", key, slot, ...]`, `["S", ...slots]`, `["X", buffer]`, `["V", kind, buffer]`,
 * `["E", name, message, stack, cause?]` or `["F", id]` (a bridged function).
 *
 * The list is flat, so cycles need no special case, and a deep value needs no recursion.
 */
export interface Packed {
  readonly text: string;
  readonly buffers: readonly ArrayBuffer[];
}

/** The limits of one value. A larger value would stall the page while the page decodes it. */
export const PACKED_LIMITS = {
  /** Characters of JSON text. */
  text: 4 * 1024 * 1024,
  /** Bytes of binary data. */
  binary: 16 * 1024 * 1024,
} as const;

export interface EncodeOptions {
  /** The name of the value in errors: `result`, `options`. */
  readonly label: string;
  /** Registers a function that the other side may call, with the object that holds the function. Returns its id. */
  readonly bridge?: (fn: object, owner: unknown) => number;
  /** Keeps the stacks of errors. Only for values that leave the sandbox: no program may see frames of the host. */
  readonly stacks?: boolean;
  /** Replaces each value that cannot be copied by a text, instead of throwing. */
  readonly describeUncloneable?: boolean;
}

/** @throws an error named `DataCloneError` with the path of a value that cannot be copied; a `RangeError` for too large values. */
export type Encode = (value: unknown, options: EncodeOptions) => Packed;

/** An object that the encoder found. */
interface Node {
  readonly value: object;
  readonly kind: Kind | 'function';
  /** The first node that refers to the object, and the object's key in it. */
  readonly parent: number;
  readonly step: string | number;
}

export function createEncoder(intrinsics: Intrinsics): Encode {
  const { keys, stringify, mapGet, mapSet } = intrinsics;
  const { kindOf, unbox } = createClassifier(intrinsics);

  return (root, options) => {
    const nodes: Node[] = [];
    const ids = new intrinsics.Map<object, number>();
    const buffers: ArrayBuffer[] = [];
    let binary = 0;
    let text = '[';
    emit(slot(root, -1, ''));
    for (let id = 0; id < nodes.length; id++) {
      emit(',');
      writeNode(nodes[id] as Node, id);
    }
    return { text: `${text}]`, buffers };

    function emit(piece: string): void {
      text += piece;
      if (text.length > PACKED_LIMITS.text) {
        throw new intrinsics.RangeError(
          `${options.label} is larger than ${PACKED_LIMITS.text} characters of JSON; pass less at a time`,
        );
      }
    }

    function slot(value: unknown, parent: number, step: string | number): string {
      switch (typeof value) {
        case 'string':
          return stringify(value);
        case 'boolean':
          return value ? 'true' : 'false';
        case 'undefined':
          return '["u"]';
        case 'number':
          if (value === 0 && 1 / value < 0) return '["n","-0"]';
          return intrinsics.isFinite(value) ? `${value}` : `["n","${value}"]`;
        case 'bigint':
          return `["b","${intrinsics.bigintToString(value, 16)}"]`;
        case 'symbol':
          return refuse('a symbol', value, parent, step);
        case 'function':
          if (options.bridge === undefined) return refuse('a function', value, parent, step);
          return reference(value, parent, step);
        default:
          return value === null ? 'null' : reference(value as object, parent, step);
      }
    }

    function reference(value: object, parent: number, step: string | number): string {
      const known = mapGet(ids, value);
      if (known !== undefined) return `[${known}]`;
      const kind = typeof value === 'function' ? 'function' : kindOf(value);
      if (typeof kind === 'object') return refuse(kind.uncloneable, value, parent, step);
      if (kind === 'boxed') return slot(unbox(value), parent, step);
      const id = nodes.length;
      mapSet(ids, value, id);
      nodes[id] = { value, kind, parent, step };
      return `[${id}]`;
    }

    function writeNode({ value, kind, parent }: Node, id: number): void {
      switch (kind) {
        case 'array':
          writeArray(value as readonly unknown[], id);
          return;
        case 'object':
          writeObject(value, id);
          return;
        case 'map':
        case 'set':
          writeEntries(kind, value, id);
          return;
        case 'error':
          writeError(value as Error, id);
          return;
        case 'date':
          emit(`["D",${stringify(intrinsics.getTime(value))}]`);
          return;
        case 'regexp': {
          const source = intrinsics.regexpSource(value);
          emit(`["R",${stringify(source)},${stringify(intrinsics.regexpFlags(value))}]`);
          return;
        }
        case 'buffer':
          emit(`["X",${copyBytes(value as ArrayBuffer, 0, intrinsics.bufferByteLength(value))}]`);
          return;
        case 'view':
          writeView(value);
          return;
        case 'function':
          emit(`["F",${options.bridge?.(value, nodes[parent]?.value)}]`);
          return;
        case 'boxed':
          return;
        default:
          kind satisfies never;
      }
    }

    function writeArray(value: readonly unknown[], id: number): void {
      const { length } = value;
      emit('["A"');
      for (let index = 0; index < length; index++) {
        const item = value[index];
        if (item === undefined && !(index in value)) emit(',["h"]');
        else emit(`,${slot(item, id, index)}`);
      }
      emit(']');
    }

    function writeObject(value: object, id: number): void {
      const names = keys(value);
      emit('["O"');
      for (let index = 0; index < names.length; index++) {
        const name = names[index] as string;
        emit(`,${stringify(name)},${slot((value as Record<string, unknown>)[name], id, name)}`);
      }
      emit(']');
    }

    function writeEntries(kind: 'map' | 'set', value: object, id: number): void {
      const isMap = kind === 'map';
      const forEach = isMap ? intrinsics.mapForEach : intrinsics.setForEach;
      emit(isMap ? '["M"' : '["S"');
      let count = 0;
      forEach(value, (item, key) => {
        if (isMap) emit(`,${slot(key, id, `key ${count}`)}`);
        emit(`,${slot(item, id, `${isMap ? 'value' : 'item'} ${count}`)}`);
        count++;
      });
      emit(']');
    }

    function writeError(value: Error, id: number): void {
      const stack = options.stacks ? `${value.stack ?? ''}` : '';
      emit(`["E",${stringify(`${value.name}`)},${stringify(`${value.message}`)},${stringify(stack)}`);
      if ('cause' in value) emit(`,${slot(value.cause, id, 'cause')}`);
      emit(']');
    }

    /** Copies only the bytes in view: the buffer may be a pool that holds other data. */
    function writeView(value: object): void {
      const kind = intrinsics.typedArrayKind(value) ?? 'DataView';
      const { buffer, byteOffset, byteLength } = intrinsics.partsOfView(value, kind);
      emit(`["V",${stringify(kind)},${copyBytes(buffer, byteOffset, byteLength)}]`);
    }

    function copyBytes(buffer: ArrayBuffer, byteOffset: number, byteLength: number): number {
      binary += byteLength;
      if (binary > PACKED_LIMITS.binary) {
        throw new intrinsics.RangeError(
          `${options.label} holds more than ${PACKED_LIMITS.binary} bytes of binary data; pass less at a time`,
        );
      }
      const copy = new intrinsics.Uint8Array(byteLength);
      intrinsics.copyBytes(copy, new intrinsics.Uint8Array(buffer, byteOffset, byteLength));
      buffers[buffers.length] = copy.buffer;
      return buffers.length - 1;
    }

    function refuse(description: string, value: unknown, parent: number, step: string | number): string {
      if (options.describeUncloneable) return stringify(describe(description, value));
      const where = `${options.label}${pathOf(parent)}${formatStep(step)}`;
      const error = new intrinsics.TypeError(
        `${where} is ${description}, which cannot cross the border of the sandbox`,
      );
      intrinsics.defineProperty(error, 'name', {
        value: 'DataCloneError',
        configurable: true,
        writable: true,
      });
      throw error;
    }

    function pathOf(id: number): string {
      let path = '';
      for (let node = nodes[id]; node !== undefined; node = nodes[node.parent])
        path = formatStep(node.step) + path;
      return path;
    }
  };
}

/** Formats a step of a path: `[0]`, `.name`, or in words for entries of maps and sets (`value 0`). */
function formatStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return step === '' || step.includes(' ') ? ` ${step}`.trimEnd() : `.${step}`;
}

function describe(description: string, value: unknown): string {
  const name =
    typeof value === 'symbol' ? value.description : typeof value === 'function' ? value.name : undefined;
  const kind = typeof value === 'object' ? 'object' : typeof value;
  if (kind === 'object') return `[${description}]`;
  return typeof name === 'string' && name !== '' ? `[${kind} ${name}]` : `[${kind}]`;
}
