import { afterEach, expect, it, vi } from 'vitest';
import { createAgentSession, createMemorySessionStore } from '../../../src/server.ts';
import { createScriptedAgent } from '../../../src/testing.ts';

const COUNT = Symbol.for('handrail.memory-stores');

afterEach(() => {
  vi.unstubAllEnvs();
  Reflect.deleteProperty(globalThis, COUNT);
});

function warningsOf(environment: string, act: () => void): unknown[] {
  Reflect.deleteProperty(globalThis, COUNT);
  vi.stubEnv('NODE_ENV', environment);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  act();
  return warn.mock.calls.flat();
}

it('a second memory store of one process is named once, with the fix', () => {
  const warnings = warningsOf('development', () => {
    for (let store = 0; store < 4; store += 1) createMemorySessionStore();
  });
  expect(warnings).toEqual([expect.stringMatching(/called twice.*globalThis\.agentStore \?\?=/)]);
});

it('one memory store, the stores of single sessions, and a production build get no warning', () => {
  const once = warningsOf('development', () => {
    createMemorySessionStore();
    for (const id of ['a', 'b', 'c']) createAgentSession({ id, agent: createScriptedAgent([]) });
  });
  const production = warningsOf('production', () => {
    createMemorySessionStore();
    createMemorySessionStore();
  });
  expect([once, production]).toEqual([[], []]);
});
