/** What an agent does, one thing after the other: the same texts, pieces and tool arguments for every candidate. */

export type Step =
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  /** Structured output: JSON that arrives in pieces. */
  | { readonly type: 'object'; readonly pieces: readonly string[] }
  /** A tool that runs on the server: its arguments arrive in pieces, its output follows. */
  | {
      readonly type: 'server-tool';
      readonly id: string;
      readonly name: string;
      readonly pieces: readonly string[];
      readonly output: unknown;
    }
  /** A tool that this client answers; the response ends with the last of them. */
  | { readonly type: 'client-tool'; readonly id: string; readonly name: string; readonly args: object };

const WORDS = ['the ', 'agent ', 'reads ', 'a ', 'long ', 'line ', 'of ', 'text, ', 'and ', 'answers '];
export const text = (deltas: number): Step => ({
  type: 'text',
  pieces: Array.from({ length: deltas }, (_, index) => WORDS[index % WORDS.length] as string),
});

/** JSON as a model writes it: a list of small records. */
export function toRecords(kilobytes: number, pieceLength: number): { count: number; pieces: string[] } {
  const items: object[] = [];
  for (let length = 0; length < kilobytes * 1024; ) {
    const index = items.length;
    const item = {
      id: index,
      title: `Item number ${index}`,
      tags: ['a', 'b'],
      price: index * 1.5,
      note: 'plain text',
    };
    items.push(item);
    length += JSON.stringify(item).length + 1;
  }
  const json = JSON.stringify({ items });
  return { count: items.length, pieces: json.match(new RegExp(`.{1,${pieceLength}}`, 'gs')) as string[] };
}

export function toolInput(kilobytes: number, pieceLength: number): Step {
  const { count, pieces } = toRecords(kilobytes, pieceLength);
  return { type: 'server-tool', id: 'call-1', name: 'store-items', pieces, output: { stored: count } };
}

export const smallTool = (index: number): Step => ({
  type: 'server-tool',
  id: `call-${index}`,
  name: 'look-up',
  pieces: [`{"query":"question ${index}",`, `"limit":10}`],
  output: { found: index, rows: ['first', 'second'] },
});
export const clientTool = (index: number): Step => ({
  type: 'client-tool',
  id: `call-${index}`,
  name: 'measure',
  args: { index },
});
export const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Text, or JSON, that is the answer itself. */
export function isWritten(step: Step): step is Extract<Step, { type: 'text' | 'object' }> {
  return step.type === 'text' || step.type === 'object';
}
