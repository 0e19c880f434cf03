import { describe, expect, test } from 'vitest';
import {
  findChangedParts,
  joinParts,
  type PartedRecord,
  type StoredParts,
} from '../../../src/server/store/record-parts.ts';
import fc, { caseCount } from '../../support/fast-check.ts';

const textsOf = (parts: StoredParts) => new Map([...parts].map(([name, { text }]) => [name, text]));
const namesOf = (changed: ReadonlyMap<string, string>) => [...changed.keys()].sort();

/** The parts that a store has after the save of a record. */
const store = (record: PartedRecord) => findChangedParts(new Map(), record).parts;

const record = {
  revision: 7,
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'x'.repeat(1_000) },
  ],
  calls: {
    pay: { toolName: 'pay', steps: { 'once a': { type: 'done', value: 1 } } },
    look: { toolName: 'look' },
  },
  turns: [{ at: 1 }],
  receivedKeys: ['k'],
  execution: { id: 'e', state: 'running', trigger: { input: { text: 'Hi' } }, usage: null },
};

describe('the parts of a record', () => {
  test('are all written when the store has none', () => {
    const { changed, removed } = findChangedParts(new Map(), record);
    expect(namesOf(changed)).toEqual([
      'call:0:pay',
      'call:1:look',
      'execution:trigger',
      'head',
      'message:0',
      'message:1',
      'receivedKeys',
      'step:0:0:once a',
      'turns',
    ]);
    expect(removed).toEqual([]);
  });

  test('of a step are the step, the count of steps and the head', () => {
    const { calls, ...rest } = record;
    const steps = { ...calls.pay.steps, 'once b': { type: 'started' } };
    const next = { ...rest, revision: 8, calls: { ...calls, pay: { ...calls.pay, steps } } };
    const { changed } = findChangedParts(store(record), next);
    expect(namesOf(changed)).toEqual(['call:0:pay', 'head', 'step:0:1:once b']);
  });

  test('are told apart by their texts when the record was loaded anew', () => {
    const { changed } = findChangedParts(store(record), { ...structuredClone(record), turns: [{ at: 2 }] });
    expect(namesOf(changed)).toEqual(['turns']);
  });

  test('are turned into text once as long as their objects stay the same', () => {
    let texts = 0;
    const message = { toJSON: () => ({ role: 'user', count: ++texts }) };
    const first = { ...record, messages: [message] };
    const { parts } = findChangedParts(store(first), { ...first, turns: [] });
    findChangedParts(parts, { ...first, turns: [{ at: 1 }] });
    expect(texts).toBe(1);
  });

  test('that the record lost are named', () => {
    const { turns: _, ...rest } = record;
    const next = { ...rest, messages: record.messages.slice(0, 1), calls: {}, execution: null };
    expect([...findChangedParts(store(record), next).removed].sort()).toEqual([
      'call:0:pay',
      'call:1:look',
      'execution:trigger',
      'message:1',
      'step:0:0:once a',
      'turns',
    ]);
  });

  test.each(['head', 'message:1', 'call:0:pay', 'step:0:0:once a'])(
    'are not put together when the part %j is missing',
    (name) => {
      const texts = textsOf(store(record));
      texts.delete(name);
      expect(() => joinParts(texts)).toThrow(`no part '${name.replace(/:[^:]*[a-z]$/, '')}`);
    },
  );

  test('are the record again when they are put together, also after a change of any record into any other', () => {
    const value = fc.constantFrom<unknown>(null, 1, 'text', [], ['\ud83d'], {}, { deep: [{}] });
    const key = fc.constantFrom('a', 'b', '1', '0', '', 'a:1', '__proto__', '\u0000', '\ud83d', '\ude00');
    const steps = fc.dictionary(key, value);
    const calls = fc.dictionary(
      key,
      fc.record({ toolName: fc.string(), steps }, { requiredKeys: ['toolName'] }),
    );
    const fields = {
      revision: fc.nat(),
      other: value,
      messages: fc.array(fc.dictionary(key, value), { maxLength: 4 }),
      calls,
      turns: fc.array(value, { maxLength: 2 }),
      receivedKeys: fc.array(fc.string(), { maxLength: 2 }),
      execution: fc.option(fc.dictionary(key, value)),
    };
    const records = fc.record(fields, { requiredKeys: ['revision', 'messages', 'execution'] });
    fc.assert(
      fc.property(records, records, (one, other) => {
        // As a store keeps it: JSON has no -0.
        const [before, after] = [one, other].map((item) => JSON.parse(JSON.stringify(item)) as PartedRecord);
        if (before === undefined || after === undefined) throw new Error('unreachable');
        const texts = textsOf(store(before));
        const { changed, removed } = findChangedParts(store(before), after);
        for (const name of removed) texts.delete(name);
        for (const [name, text] of changed) texts.set(name, text);
        expect(joinParts(texts)).toEqual(after);
      }),
      { numRuns: caseCount(100) },
    );
  });
});
