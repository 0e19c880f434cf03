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

/** What `Object.prototype.toString` calls objects that are copied property by property. */
const PROPERTY_BAGS: readonly string[] = ['Object', 'Arguments', 'Module'];

export interface Classifier {
  /** The kind, or `{ uncloneable: 'a WeakMap' }`. */
  kindOf(value: object): Kind | { readonly uncloneable: string };
  /** The primitive inside of `new Number(1)` and the like. */
  unbox(value: object): unknown;
}

export function createClassifier(intrinsics: Intrinsics): Classifier {
  const { invoke } = intrinsics;
  /** Per tag, something that only works on the real thing: `Symbol.toStringTag` is anybody's to set. */
  const proofs: readonly (readonly [tag: string, kind: Kind, proof: unknown])[] = [
    ['Date', 'date', intrinsics.getTime],
    ['RegExp', 'regexp', intrinsics.regexpSource],
    ['Map', 'map', intrinsics.mapSize],
    ['Set', 'set', intrinsics.setSize],
    ['ArrayBuffer', 'buffer', intrinsics.bufferByteLength],
    ['Number', 'boxed', intrinsics.valueOf.Number],
    ['String', 'boxed', intrinsics.valueOf.String],
    ['Boolean', 'boxed', intrinsics.valueOf.Boolean],
    ['BigInt', 'boxed', intrinsics.valueOf.BigInt],
  ];

  return {
    kindOf(value) {
      if (intrinsics.isArray(value)) return 'array';
      const prototype = intrinsics.getPrototypeOf(value);
      if (prototype === intrinsics.objectPrototype || prototype === null) return 'object';
      if (intrinsics.isView(value)) return 'view';
      const tag = tagOf(value);
      if (tag === 'Error') return 'error';
      for (let index = 0; index < proofs.length; index++) {
        const [proven, kind, proof] = proofs[index] as (typeof proofs)[number];
        if (tag === proven) return isReal(value, proof) ? kind : 'object';
      }
      for (let index = 0; index < PROPERTY_BAGS.length; index++)
        if (tag === PROPERTY_BAGS[index]) return 'object';
      return { uncloneable: `a ${tag}` };
    },
    unbox: (value) => invoke(intrinsics.valueOf[tagOf(value)], value),
  };

  function tagOf(value: object): string {
    const tag = invoke<string>(intrinsics.tagOf, value);
    let name = '';
    for (let index = 8; index < tag.length - 1; index++) name += tag[index];
    return name;
  }

  function isReal(value: object, proof: unknown): boolean {
    try {
      invoke(proof, value);
      return true;
    } catch {
      return false;
    }
  }
}
