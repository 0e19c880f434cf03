/** `1 option`, `2 options`. For English alone: other languages have other rules. */
export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;
