/** Cuts bytes and text as networks do. */

/** A generator of numbers from 0 up to 1 that is the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns the bytes in pieces: whole, one by one, and cut at random places for a number of seeds. */
export function everyCut(bytes: Uint8Array, seeds = 20): { name: string; pieces: Uint8Array[] }[] {
  const ways = [
    { name: 'whole', pieces: [bytes] },
    { name: 'byte by byte', pieces: Array.from(bytes, (byte) => Uint8Array.of(byte)) },
  ];
  for (let seed = 1; seed <= seeds; seed++) {
    const random = createRandom(seed);
    const pieces: Uint8Array[] = [];
    for (let start = 0; start < bytes.length; ) {
      const end = start + 1 + Math.floor(random() * 40);
      pieces.push(bytes.subarray(start, end));
      start = end;
    }
    ways.push({ name: `seed ${seed}`, pieces });
  }
  return ways;
}
