import type { Intrinsics } from './intrinsics.ts';

/** How an object is copied. Anything else has a text that says what it is. */
export type Kind =
  | 'array'
  | 'object'
  | 'date'
  | 'regexp'
  | 'map'
  | 'set'
  | 'error'
  | 'buffer'
  | 'view'
  | 'boxed';

export interface Classifier {
  /** The kind, or `{ uncloneable: 'a WeakMap' }`. */
  kindOf(value: object): Kind | { readonly uncloneable: string };
  /** The primitive inside of `new Number(1)` and the like. */
  unbox(value: object): unknown;
}

export function createClassifier(intrinsics: Intrinsics): Classifier {
  const { isArray, getPrototypeOf, objectPrototype, isView, unbox } = intrinsics;
  /** Per tag, something that only works on the real thing: `Symbol.toStringTag` is anybody's to set. */
  const proofs: Readonly<Record<string, readonly [kind: Kind, proof: (value: object) => unknown]>> = {
    // No prototype: a tag may well be called `constructor`.
    __proto__: null as never,
    Date: ['date', intrinsics.getTime],
    RegExp: ['regexp', intrinsics.regexpSource],
    Map: ['map', intrinsics.mapSize],
    Set: ['set', intrinsics.setSize],
    ArrayBuffer: ['buffer', intrinsics.bufferByteLength],
    Number: ['boxed', unbox.Number],
    String: ['boxed', unbox.String],
    Boolean: ['boxed', unbox.Boolean],
    BigInt: ['boxed', unbox.BigInt],
  };

  return {
    kindOf(value) {
      if (isArray(value)) return 'array';
      const prototype = getPrototypeOf(value);
      if (prototype === objectPrototype || prototype === null) return 'object';
      if (isView(value)) return 'view';
      const tag = tagOf(value);
      if (tag === 'Error') return 'error';
      const proven = proofs[tag];
      if (proven !== undefined) return isReal(value, proven[1]) ? proven[0] : 'object';
      // Decides which values are copied property by property. Promises, WeakMaps, DOM nodes are none of these.
      if (tag === 'Object' || tag === 'Arguments' || tag === 'Module') return 'object';
      return { uncloneable: `a ${tag}` };
    },
    unbox: (value) => unbox[tagOf(value) as keyof typeof unbox](value),
  };

  function tagOf(value: object): string {
    const tag = intrinsics.tagOf(value);
    let name = '';
    for (let index = 8; index < tag.length - 1; index++) name += tag[index];
    return name;
  }

  function isReal(value: object, proof: (value: object) => unknown): boolean {
    try {
      proof(value);
      return true;
    } catch {
      return false;
    }
  }
}
