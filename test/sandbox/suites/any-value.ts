import fc from 'fast-check';

/** Any value that the codec copies like structured clone. */
export function anyValue(): fc.Arbitrary<unknown> {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.boolean(),
    fc.bigInt(),
    fc.constantFrom(null, undefined),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array(),
    fc.float64Array(),
    fc.int32Array(),
    fc.constantFrom(/a\/b\n/giu, /(?<x>.)/s),
  );
  // Matchers read the key `constructor` as the class of the object, so it is not among the keys.
  const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'then', '0'));
  return fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, tie('array'), tie('object'), tie('map'), tie('set')),
    array: fc.array(tie('value')),
    object: fc.dictionary(key, tie('value'), { noNullPrototype: true }),
    map: fc.array(fc.tuple(tie('value'), tie('value'))).map((entries) => new Map(entries)),
    set: fc.array(tie('value')).map((items) => new Set(items)),
  })).value;
}
