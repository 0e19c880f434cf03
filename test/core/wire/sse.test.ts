import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSseReader } from '../../../src/core/wire/sse.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import { everyCut } from '../../support/cuts.ts';
import fc, { caseCount } from '../../support/fast-check.ts';

const encoder = new TextEncoder();
const read = (text: string) => createSseReader().feed(encoder.encode(text));
const dataOf = (text: string) => read(text).map(({ data }) => data);

describe('lines and fields', () => {
  test.each([
    ['one optional space after the colon', 'data: a\n\ndata:b\n\ndata:  c\n\n', ['a', 'b', ' c']],
    ['several data lines joined by a line feed', 'data: {\ndata: "a":\ndata:1}\n\n', ['{\n"a":\n1}']],
    ['comments', ': hello\n:\ndata: a\n: in between\n\n', ['a']],
    ['LF, CR and CRLF', 'data: a\n\ndata: b\r\rdata: c\r\n\r\n', ['a', 'b', 'c']],
    ['one byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['a second byte order mark makes an unknown field', '\ufeff\ufeffdata: a\n\ndata: b\n\n', ['b']],
    ['a field without a colon has an empty value', 'data\ndata\n\n', ['\n']],
    ['unknown fields and bad retry values', 'foo: 1\nretry: soon\ndata: a\n\n', ['a']],
    ['a block without data is no message', 'event: ping\n\ndata: a\n\n', ['a']],
    ['an event that is not closed is discarded', 'data: a\n\ndata: b\n', ['a']],
  ])('parses %s', (_name, text, expected) => {
    expect(dataOf(text)).toEqual(expected);
  });

  test('decodes invalid UTF-8 as the replacement character', () => {
    const bytes = Uint8Array.of(...encoder.encode('data: a'), 0xff, ...encoder.encode('b\n\n'));
    expect(createSseReader().feed(bytes)[0]?.data).toBe('a\ufffdb');
  });
});

test.each([
  ['CR CR', ['data: a\r\r', 'data: b\r\r'], [['a'], ['b']]],
  ['CRLF CR, whose LF comes with the next event', ['data: a\r\n\r', '\ndata: b\r\n\r\n'], [['a'], ['b']]],
  ['CR, then CR with the next bytes', ['data: a\r', '\r', 'data: b\n\n'], [[], ['a'], ['b']]],
  ['CR, then LF and CR with the next bytes', ['data: a\r', '\n', '\r', '\n'], [[], [], ['a'], []]],
  ['CR LF within a data block', ['data: a\r', '\ndata: b\n\n'], [[], ['a\nb']]],
])('an event that ends with %s does not wait for the next bytes', (_name, chunks, expected) => {
  const reader = createSseReader();
  const read = chunks.map((text) => reader.feed(encoder.encode(text)).map(({ data }) => data));
  expect(read).toEqual(expected);
});

describe('ids', () => {
  test('gives each message its own id, and distinguishes an empty id from none', () => {
    const messages = read(
      'id: 1\ndata: a\n\ndata: b\n\nid: 2\n\ndata: c\n\nid\ndata: d\n\nid: x\u0000y\ndata: e\n\n',
    );
    expect(messages.map(({ id }) => id)).toEqual(['1', undefined, undefined, '', undefined]);
  });

  test('keeps the id when the bytes are cut between id and data', () => {
    const reader = createSseReader();
    expect(reader.feed(encoder.encode('id: 1\ndata: a\n\nid: 2\n'))).toHaveLength(1);
    expect(reader.feed(encoder.encode('data: b\n\n'))).toEqual([{ data: 'b', event: undefined, id: '2' }]);
  });
});

test('calls onHeartbeat with the bytes that complete the comment', () => {
  let beats = 0;
  const reader = createSseReader({ onHeartbeat: () => beats++ });
  const counts = [': heart', 'beat\n\n', 'data: heartbeat\n\n', ': ping\n\n', ':heartbeat\n'].map((text) => {
    reader.feed(encoder.encode(text));
    return beats;
  });
  expect(counts).toEqual([0, 1, 1, 1, 2]);
});

describe('the cap', () => {
  const refusal = (feed: () => unknown) => {
    try {
      feed();
    } catch (error) {
      return error as AgentChatError;
    }
    throw new Error('nothing was thrown');
  };

  test.each([
    ['a line', ['data: ', 'x'.repeat(60), 'x'.repeat(60)]],
    ['an event of many lines', Array.from({ length: 20 }, () => `data: ${'x'.repeat(10)}\n`)],
  ])('throws invalid_response with the limit for %s that never ends', (_name, chunks) => {
    const reader = createSseReader({ maxEventLength: 100 });
    const error = refusal(() => {
      for (const chunk of chunks) reader.feed(encoder.encode(chunk));
    });
    expect(error).toBeInstanceOf(AgentChatError);
    expect(error).toMatchObject({ code: 'invalid_response', errorType: 'protocol_error' });
    expect(error.message).toContain('more than 100 characters');
    expect(() => reader.feed(encoder.encode('data: a\n\n'))).toThrow('terminated');
  });

  test('accepts many small events in one piece', () => {
    const reader = createSseReader({ maxEventLength: 100 });
    let count = 0;
    for (let i = 0; i < 100; i++) count += reader.feed(encoder.encode(`data: ${'x'.repeat(50)}\n\n`)).length;
    expect(count).toBe(100);
  });
});

describe('cuts', () => {
  const folder = new URL('../../fixtures/native/', import.meta.url);
  const fixtures = readdirSync(folder).filter((name) => name.endsWith('.sse'));

  test.each(fixtures)('gives the same messages however the fixture %s is cut', (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, folder)));
    const whole = createSseReader().feed(bytes);
    expect(whole.length).toBeGreaterThan(3);
    for (const { name: way, pieces } of everyCut(bytes)) {
      const reader = createSseReader();
      expect(
        pieces.flatMap((piece) => reader.feed(piece)),
        way,
      ).toEqual(whole);
    }
  });

  test('gives the same messages however any text is cut', () => {
    const line = fc.oneof(
      fc.constantFrom('', 'id: 1', 'id', 'event: x', ': c', 'data', '\ufeffdata: x', 'datax: y'),
      fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => `data: ${text}`),
    );
    const lines = fc.array(
      fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(lines, fc.array(fc.nat(), { maxLength: 8 }), (parts, cuts) => {
        const bytes = encoder.encode(parts.join(''));
        const places = [...cuts.map((place) => place % (bytes.length + 1)), bytes.length].sort(
          (a, b) => a - b,
        );
        const reader = createSseReader();
        const pieces = places.map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));
        expect(pieces.flatMap((piece) => reader.feed(piece))).toEqual(createSseReader().feed(bytes));
      }),
      { numRuns: caseCount(100) },
    );
  });
});
