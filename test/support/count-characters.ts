/** Counts the characters that a parser reads while `work` runs, one by one and by a sticky pattern. */
export function countCharacters(work: () => void): number {
  const { charAt } = String.prototype;
  const { test } = RegExp.prototype;
  let count = 0;
  String.prototype.charAt = function (position) {
    const character = charAt.call(this, position);
    count += character.length;
    return character;
  };
  RegExp.prototype.test = function (text) {
    const from = this.lastIndex;
    const matches = test.call(this, text);
    if (this.sticky) count += this.lastIndex - from;
    return matches;
  };
  try {
    work();
  } finally {
    String.prototype.charAt = charAt;
    RegExp.prototype.test = test;
  }
  return count;
}
