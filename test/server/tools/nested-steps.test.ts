/** A step inside the work of a step is an error at once: waiting for it would never end. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { DefinedToolContext } from '../../../src/server/tools/server-tool.ts';
import { hello, run } from '../support.ts';
import { answer, open, questionsIn, resultIn } from './support.ts';

const inner = {
  ask: ({ ask }: DefinedToolContext) => ask({ message: 'Sure?' }),
  once: ({ once }: DefinedToolContext) => once('inner', () => 'done'),
};

describe.each(['ask', 'once'] as const)('%s inside the work of a once', (method) => {
  it.each([
    ['at once', 0],
    ['after the work has awaited something', 5],
  ])('is an error that names the tool, when it is called %s', async (_name, turns) => {
    const thrown: unknown[] = [];
    const tool = defineServerTool({
      execute: (_args, context) =>
        context.once('outer', async () => {
          for (let turn = 0; turn < turns; turn += 1) await new Promise((next) => setImmediate(next));
          return inner[method](context);
        }),
    });
    const { session, agent } = open(tool, { onError: (error) => thrown.push(error) });
    await run(session, hello);
    expect(thrown).toMatchObject([{ name: 'NestedStep', toolName: 'refund' }]);
    expect(resultIn(agent)).toContain(`The tool 'refund' calls ${method} inside the work of a once`);
  });
});

it('a question that is asked while a step is under way beside it goes out when the step is done', async () => {
  let end = () => {};
  const isSlow = new Promise<void>((resolve) => {
    end = resolve;
  });
  const paid: string[] = [];
  const tool = defineServerTool({
    execute: (_args, { ask, once }) =>
      Promise.all([
        once('pay', async () => {
          await isSlow;
          paid.push('paid');
          return 'paid';
        }),
        ask({ message: 'Sure?' }),
      ]),
  });
  const { session, agent, store } = open(tool);
  const asking = run(session, hello);
  const isAsked = async () => {
    const steps = (await store.load('s'))?.calls['call-1']?.steps ?? {};
    return Object.values(steps).some(({ type }) => type === 'asked');
  };
  while (!(await isAsked())) await new Promise((next) => setImmediate(next));
  end();
  const asked = await asking;
  expect(questionsIn(asked)).toEqual(['Sure?']);
  await run(session, answer(asked, { answer: 'yes' }));
  expect(resultIn(agent)).toEqual(['paid', 'yes']);
  expect(paid).toEqual(['paid']);
});

describe('the work of a step that runs another conversation', () => {
  it('may run a tool there that asks and has steps', async () => {
    const other = defineServerTool({
      execute: async (_args, { ask, once }) => [await once('x', () => 1), await ask({ message: 'There?' })],
    });
    const tool = defineServerTool({
      execute: (_args, { once }) => once('x', async () => questionsIn(await run(open(other).session, hello))),
    });
    const { session, agent } = open(tool);
    await run(session, hello);
    expect(resultIn(agent)).toEqual(['There?']);
  });
});

describe('in a runtime without an AsyncLocalStorage', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  async function loadScope() {
    vi.resetModules();
    return import('../../../src/server/tools/step-scope.ts');
  }

  it('code is known to be inside a step until the work first awaits, and outside when it is over', async () => {
    vi.stubGlobal('process', undefined);
    const { isInStep, runInStep } = await loadScope();
    const owner = {};
    const isNested = runInStep(owner, () => [
      isInStep(owner),
      isInStep({}),
      runInStep({}, () => isInStep(owner)),
    ]);
    expect(isNested).toEqual([true, false, true]);
    expect(isInStep(owner)).toBe(false);
    const later = await runInStep(owner, async () => {
      await Promise.resolve();
      return isInStep(owner);
    });
    expect(later).toBe(false);
    const fail = () => {
      throw new Error('failed');
    };
    expect(() => runInStep(owner, fail)).toThrow('failed');
    expect(isInStep(owner)).toBe(false);
  });

  it('the AsyncLocalStorage of the global object is used where the runtime has one there', async () => {
    const { AsyncLocalStorage } = await import('node:async_hooks');
    vi.stubGlobal('AsyncLocalStorage', AsyncLocalStorage);
    vi.stubGlobal('process', undefined);
    const { isInStep, runInStep } = await loadScope();
    const owner = {};
    const later = await runInStep(owner, async () => {
      await Promise.resolve();
      return isInStep(owner);
    });
    expect(later).toBe(true);
    expect(isInStep(owner)).toBe(false);
  });
});
