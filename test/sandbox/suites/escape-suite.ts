import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toAgentResult } from '../../../src/sandbox/to-agent-result.ts';
import { createSandbox } from '../../../src/sandbox.ts';
import { capabilities, escapes } from './escapes.ts';

/** Shows that the page stays responsive while a program runs. */
export interface Pulse {
  /** Beats so far: frames in a browser, turns of the event loop in Node. */
  readonly beats: number;
  stop(): void;
}

/** Ends the programs that may never end. A page has time for several frames in it. The other programs get the default. */
const SAFETY_CAP_MS = 1000;

/** Ends the programs that use up memory: the less they may use, the sooner they end. */
const MEMORY_LIMIT_BYTES = 16 * 2 ** 20;

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

  test('the suite has at least 60 programs with unique names', () => {
    expect(new Set(escapes.map(({ name }) => name)).size).toBe(escapes.length);
    expect(escapes.length).toBeGreaterThanOrEqual(60);
  });

  describe('the sandbox contains', () => {
    test.for(escapes)('$name', async ({ source, ends }, { expect }) => {
      const world = fingerprint();
      const seen: unknown[] = [];
      const options = capabilities((args) => {
        if (seen.length < 100) seen.push(...args);
      });
      const given = JSON.stringify(options.globals.data);
      const beatsBefore = pulse.beats;

      const expected = [ends].flat();
      const sandbox = expected.includes('terminated') ? hurried : patient;
      const limits = ends === 'memory' ? { memoryLimitBytes: MEMORY_LIMIT_BYTES } : {};
      const outcome = await sandbox.runCode(source, { ...options, ...limits });

      expect(expected).toContain(outcome.status);
      if (outcome.status === 'success') expect(outcome.result).toEqual([]);
      if (outcome.status === 'terminated') {
        expect(outcome.error?.message).toContain('safety cap');
        // A page that stood still has one beat, when it goes on. The number of further beats depends on the machine.
        expect(pulse.beats - beatsBefore).toBeGreaterThan(1);
      }
      // Paths and frames of the host have slashes, and those of the program have none.
      expect(outcome.error?.stack ?? '').not.toMatch(/wasm|node:|https?:|handrail:/);
      expect(JSON.stringify(options.globals.data)).toBe(given);
      expect(fingerprint()).toEqual(world);
      expect(seen.flatMap(findForeignParts)).toEqual([]);
      // A value that has no form for the agent would leave the call without an answer.
      expect(toAgentResult(outcome)).toMatchObject({ status: outcome.status });
    });
  });

  test('the sandbox works after all escape attempts', async () => {
    for (const sandbox of [hurried, patient]) {
      expect(await sandbox.runCode('export default 1')).toMatchObject({ status: 'success', result: 1 });
    }
  });
}

/** Counts and names of the properties that a program could have added to built-ins of this realm. */
function fingerprint(): unknown {
  const worlds = [globalThis, Object, Array, Function, Promise, Map, JSON, Error, RegExp, Reflect] as const;
  return worlds.flatMap((world) => {
    const { prototype } = world as { prototype?: object };
    const names = Reflect.ownKeys(world).length;
    return prototype === undefined ? [names] : [names, ...Reflect.ownKeys(prototype).map(String)];
  });
}

const PLAIN_CLASSES: readonly unknown[] = [
  Object,
  Array,
  Map,
  Set,
  Date,
  RegExp,
  Error,
  Uint8Array,
  ArrayBuffer,
];

/** Returns the parts of a value that are not plain data of this realm: functions, accessors, objects of another class. */
function findForeignParts(value: unknown): readonly unknown[] {
  const todo = [value];
  const done = new Set<unknown>();
  const foreign: unknown[] = [];
  for (let item = todo.pop(); todo.length > 0 || item !== undefined; item = todo.pop()) {
    if (typeof item === 'function') foreign.push(item);
    if (typeof item !== 'object' || item === null || done.has(item) || done.size > 1000) continue;
    done.add(item);
    const { constructor: maker } = Object.getPrototypeOf(item) as { constructor: unknown };
    if (!PLAIN_CLASSES.includes(maker)) foreign.push(item);
    if (ArrayBuffer.isView(item)) continue;
    for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(item))) {
      if (descriptor.get !== undefined) foreign.push(descriptor.get);
      todo.push(descriptor.value);
    }
  }
  return foreign;
}
