/** The pieces of a regular expression, as far as they matter here; inside brackets nothing repeats. */
const PIECES =
  /\\(?:[pPu]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<\w*>)|[*+?]\??|\{(\d+)(,?)(\d*)\}\??|./gsu;

interface Open {
  /** Ways of the alternatives before this one. */
  readonly others: number;
  /** Ways of this alternative up to its last piece, and of that. */
  readonly before: number;
  readonly last: number;
}

const START: Open = { others: 0, before: 1, last: 1 };

/**
 * In how many ways a pattern can be laid over a text of this length, at most: what JavaScript tries, one after the
 * other, before it says no. `^(a+)+$` has more for thirty letters than a day has time for, and nothing can interrupt it.
 * Patterns that could be decided quickly all the same count as slow where one repetition holds another.
 */
export function countWays(pattern: string, length: number): number {
  const open: Open[] = [];
  // Without a ^ every place of the text is a start of its own; one before a bar is no ^ of what comes behind it.
  const starts = pattern.startsWith('^') && !pattern.includes('|') ? 1 : length + 1;
  let group = START;
  for (const [piece, from, comma, to] of pattern.matchAll(PIECES)) {
    if (piece.startsWith('(')) {
      open.push(group);
      group = START;
    } else if (piece === ')') {
      const inside = sum(group);
      group = next(open.pop() ?? START, inside);
    } else if (piece === '|') {
      group = { ...START, others: sum(group) };
    } else if (/^[*+?]/.test(piece) || from !== undefined) {
      const least = Number(from ?? (piece.startsWith('+') ? 1 : 0));
      const most = piece.startsWith('?') ? 1 : comma === '' ? least : Number(to || length);
      group = { ...group, last: repeat(group.last, Math.min(least, length), Math.min(most, length)) };
    } else {
      group = next(group, 1);
    }
  }
  return starts * sum(group);
}

function sum({ others, before, last }: Open): number {
  return others + before * last;
}

function next({ others, before, last }: Open, ways: number): Open {
  return { others, before: before * last, last: ways };
}

function repeat(ways: number, least: number, most: number): number {
  return Math.max(1, most - least + 1) * ways ** Math.max(1, most);
}
