import type { Intrinsics } from './intrinsics.ts';

/** How the codec copies an object. An object of any other class cannot be copied. */
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
  /** Returns the kind, or a description of an object that cannot be copied: `{ uncloneable: 'a WeakMap' }`. */
  kindOf(value: object): Kind | { readonly uncloneable: string };
  /** Returns the primitive inside a boxed value like `new Number(1)`. */
  unbox(value: object): unknown;
}

export function createClassifier(intrinsics: Intrinsics): Classifier {
  const { isArray, getPrototypeOf, objectPrototype, isView, unbox } = intrinsics;
  /** For each tag a method that throws unless the object is real: a program may give any object any `Symbol.toStringTag`. */
  const proofs: Readonly<Record<string, readonly [kind: Kind, proof: (value: object) => unknown]>> = {
    // Without a prototype, the tag `constructor` finds nothing here.
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
      // Class instances are copied property by property. Promises, WeakMaps and DOM nodes have other tags.
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
