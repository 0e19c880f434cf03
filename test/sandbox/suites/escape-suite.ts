import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toAgentResult } from '../../../src/sandbox/to-agent-result.ts';
import { createSandbox } from '../../../src/sandbox.ts';
import { capabilities, escapes } from './escapes.ts';

/** Proves that the page was responsive while a program ran. */
export interface Pulse {
  /** The number of frames in a browser, or of turns of the event loop in Node. */
  readonly beats: number;
  stop(): void;
}

/** The time for programs that may never end, long enough for several frames. Other programs get the time that they need. */
const SAFETY_CAP_MS = 1000;

export function escapeSuite(startPulse: () => Pulse): void {
  const hurried = createSandbox({ safetyCapMs: SAFETY_CAP_MS });
  const patient = createSandbox();
  const pulse = startPulse();
  beforeAll(async () => {
    await Promise.all([hurried.warmUp(), patient.warmUp()]);
  });
  afterAll(() => {
    pulse.stop();
    hurried.dispose();
    patient.dispose();
  });

  test('the escape suite has at least 60 programs with unique names', () => {
    expect(new Set(escapes.map(({ name }) => name)).size).toBe(escapes.length);
    expect(escapes.length).toBeGreaterThanOrEqual(60);
  });

  describe('contained', () => {
    test.each(escapes)('the sandbox contains the program: $name', async ({ source, ends }) => {
      const world = fingerprint();
      const seen: unknown[] = [];
      const options = capabilities((args) => {
        if (seen.length < 100) seen.push(...args);
      });
      const given = JSON.stringify(options.globals.data);
      const beatsBefore = pulse.beats;

      const expected = [ends].flat();
      const sandbox = expected.includes('terminated') ? hurried : patient;
      const outcome = await sandbox.runCode(source, options);

      expect(expected).toContain(outcome.status);
      if (outcome.status === 'success') expect(outcome.result).toEqual([]);
      if (outcome.status === 'terminated') {
        expect(outcome.error?.message).toContain('safety cap');
        // A blocked page would have one beat, after the block. The exact number depends on the machine.
        expect(pulse.beats - beatsBefore).toBeGreaterThan(1);
      }
      // Paths and stack frames of the host have slashes. Those of the program have none.
      expect(outcome.error?.stack ?? '').not.toMatch(/wasm|node:|https?:|handrail:/);
      expect(JSON.stringify(options.globals.data)).toBe(given);
      expect(fingerprint()).toEqual(world);
      for (const value of seen) expectPlain(value);
      // Otherwise the call that requested the value would never be answered.
      expect(toAgentResult(outcome)).toMatchObject({ status: outcome.status });
    });
  });

  test('the sandbox still works after all escape programs', async () => {
    for (const sandbox of [hurried, patient]) {
      expect(await sandbox.runCode('export default 1')).toMatchObject({ status: 'success', result: 1 });
    }
  });
}

/** Host values that an escaped program could have changed. */
function fingerprint(): unknown {
  const worlds = [globalThis, Object, Array, Function, Promise, Map, JSON, Error, RegExp, Reflect] as const;
  return worlds.flatMap((world) => {
    const { prototype } = world as { prototype?: object };
    const names = Reflect.ownKeys(world).length;
    return prototype === undefined ? [names] : [names, ...Reflect.ownKeys(prototype).map(String)];
  });
}

/** True for plain data of this realm: no function, accessor, or object of another class. */
function expectPlain(value: unknown): void {
  const todo = [value];
  const done = new Set<unknown>();
  for (let item = todo.pop(); todo.length > 0 || item !== undefined; item = todo.pop()) {
    expect(typeof item).not.toBe('function');
    if (typeof item !== 'object' || item === null || done.has(item) || done.size > 1000) continue;
    done.add(item);
    const { constructor: maker } = Object.getPrototypeOf(item) as { constructor: unknown };
    expect([Object, Array, Map, Set, Date, RegExp, Error, Uint8Array, ArrayBuffer]).toContain(maker);
    if (ArrayBuffer.isView(item)) continue;
    for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(item))) {
      expect(descriptor.get).toBeUndefined();
      todo.push(descriptor.value);
    }
  }
}
