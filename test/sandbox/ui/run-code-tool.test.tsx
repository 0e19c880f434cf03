// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { describe, expect, test } from 'vitest';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { englishLabels } from '../../../src/components/text/labels.ts';
import { LabelsProvider } from '../../../src/components/text/labels-context.tsx';
import type { ToolCallPart } from '../../../src/core/state/message.ts';
import type { CodeExecution, CodeExecutionOptions, CodeExecutionResult } from '../../../src/sandbox.ts';
import { RunCodeCard, type RunCodeToolOptions, runCodeInput, runCodeTool } from '../../../src/sandbox.ts';
import { createTestTool } from '../../components/create-test-tool.ts';
import { createDeferred } from '../../support/deferred.ts';

const button = (name: string) => screen.getByRole('button', { name });

/** Creates runs that report and end when the test says so. */
function fakeRuns() {
  const started: { source: string; options: CodeExecutionOptions; terminated: string[] }[] = [];
  const finish: ((outcome: Partial<CodeExecutionResult>) => Promise<void>)[] = [];
  const reports: unknown[] = [];
  const run = (source: string, options: CodeExecutionOptions): CodeExecution => {
    const { promise, resolve } = createDeferred<CodeExecutionResult>();
    const terminated: string[] = [];
    started.push({ source, options, terminated });
    const end = (outcome: Partial<CodeExecutionResult>) =>
      resolve({ status: 'success', reports, logs: [], durationMs: 5, ...outcome });
    finish.push(async (outcome) => {
      await act(async () => end(outcome));
    });
    return {
      // biome-ignore lint/suspicious/noThenProperty: the contract makes the handle awaitable
      then: (onFulfilled, onRejected) => promise.then(onFulfilled, onRejected),
      running: true,
      get reports() {
        return [...reports];
      },
      terminate(reason = '') {
        terminated.push(reason);
        end({ status: 'terminated', error: { name: 'TerminatedError', message: reason } });
      },
    };
  };
  const report = (value: unknown) =>
    act(() => {
      reports.push(value);
      started.at(-1)?.options.report?.(value);
    });
  return { run, started, finish, report };
}

function setUp(
  options: RunCodeToolOptions = {},
  args: Record<string, unknown> = { code: 'export default 1' },
) {
  const runs = fakeRuns();
  const definition = runCodeTool({ run: runs.run, ...options });
  const tool = createTestTool({ toolName: 'run-code', args, definition });
  const part: ToolCallPart = {
    type: 'tool-call',
    toolCallId: tool.toolCallId,
    toolName: 'run-code',
    args,
    status: 'running',
  };
  return { ...runs, definition, tool, part, user: userEvent.setup() };
}

/** A call of a later run that has the id of an earlier one. */
function createLaterTool(definition: ReturnType<typeof runCodeTool>) {
  return createTestTool({
    toolName: 'run-code',
    args: { code: 'export default 2' },
    definition,
    requestedAt: new Date('2026-01-05T10:01:00Z'),
  });
}

describe('RunCodeQuestion', () => {
  test('the question is a card where the queue shows cards', () => {
    const { tool } = setUp();
    render(<ClientToolDialogs mode="inline" tools={[tool]} />);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.querySelector('.hr-card[data-kind="run-code"]')).toBeTruthy();
  });

  test('the surface of the tool comes before the mode of the queue', () => {
    const { tool } = setUp({ surface: 'dialog' });
    render(<ClientToolDialogs mode="inline" tools={[tool]} />);
    expect(screen.getByRole('dialog')).toBeTruthy();
  });

  test('the dialog shows the code, its explanation and its capabilities', () => {
    const { tool } = setUp(
      {
        globals: { orders: { list: () => [], limit: 5 }, settings: { a: 1 } },
        imports: { fs: { readFile: () => '' } },
        modules: { './helpers.js': '' },
        capabilityDescriptions: { 'orders.list': 'Read your orders' },
      },
      { code: 'export default orders.list()', explanation: 'Looks up your orders.' },
    );
    render(<ClientToolDialogs tools={[tool]} />, { wrapper: StrictMode });
    expect(screen.getByRole('dialog', { name: 'Run code' })).toBeDefined();
    expect(screen.getByText('Looks up your orders.')).toBeDefined();
    expect(screen.getByRole('region', { name: 'Code' }).textContent).toBe('export default orders.list()');
    const items = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(items).toEqual([
      'orders.list · Read your orders',
      'readFile from fs',
      'orders.limit · data',
      'settings · data',
      './helpers.js · module',
    ]);
  });

  test('the dialog says so when the code has no capabilities', () => {
    const { tool } = setUp();
    render(<ClientToolDialogs tools={[tool]} />);
    expect(screen.queryByRole('list')).toBeNull();
    expect(screen.getByText('Nothing outside its own code')).toBeDefined();
  });

  test('the dialog shows the description of the app when the agent sends no explanation', () => {
    const { tool } = setUp({ description: 'Works with your orders.' }, { code: '1', explanation: '' });
    render(<ClientToolDialogs tools={[tool]} />);
    expect(screen.getByText('Works with your orders.')).toBeDefined();
  });

  test('takes the words of the app', async () => {
    const labels = { title: 'Programm', run: 'Starten', stop: 'Anhalten', stoppedByPerson: 'angehalten' };
    const { tool, started, user } = setUp({ labels });
    render(<ClientToolDialogs tools={[tool]} />);
    expect(screen.getByRole('dialog', { name: 'Programm' })).toBeDefined();
    await user.click(button('Starten'));
    await user.click(button('Anhalten'));
    expect(started[0]?.terminated).toEqual(['angehalten']);
  });

  test.each([
    [undefined, 'Don’t run'],
    ['destructive', 'Don’t run'],
    ['neutral', 'Run code'],
  ] as const)('the focus of a question with severity %s starts on %s', (severity, name) => {
    const { tool } = setUp(severity === undefined ? {} : { severity });
    render(<ClientToolDialogs tools={[tool]} />);
    expect(document.activeElement).toBe(button(name));
  });

  test('code does not run before consent, or when the person declines', async () => {
    const { tool, started, user } = setUp();
    render(<ClientToolDialogs tools={[tool]} />);
    expect(started).toHaveLength(0);
    await user.click(button('Don’t run'));
    expect(tool.decline).toHaveBeenCalledTimes(1);
    expect(started).toHaveLength(0);
  });

  test('code runs once after consent, with its capabilities and language, and the agent gets the result', async () => {
    const globals = { now: () => 1 };
    const args = { code: 'export default now()', language: 'javascript' };
    const rest = { imports: { fs: { read: () => '' } }, modules: { './a.js': '' }, memoryLimitBytes: 1e6 };
    const { tool, started, finish, user } = setUp({ globals, ...rest }, args);
    render(<ClientToolDialogs tools={[tool]} />, { wrapper: StrictMode });
    await user.dblClick(button('Run code'));
    expect(started).toHaveLength(1);
    expect(started[0]?.source).toBe('export default now()');
    expect(started[0]?.options).toMatchObject({ globals, language: 'javascript', ...rest });
    await finish[0]?.({ result: new Map([['sum', 2n]]) });
    expect(tool.submit.mock.calls).toEqual([[{ status: 'success', result: [['sum', '2n']], durationMs: 5 }]]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('the dialog shows live reports, and its stop button terminates the run', async () => {
    const { tool, report, started, user } = setUp();
    render(<ClientToolDialogs tools={[tool]} />);
    await user.click(button('Run code'));
    expect(document.activeElement).toBe(button('Stop'));
    report('half way');
    report({ left: 1 });
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'half way',
      '{"left":1}',
    ]);
    await user.click(button('Stop'));
    expect(started[0]?.terminated).toEqual(['stopped by the user']);
    expect(tool.submit.mock.calls[0]?.[0]).toMatchObject({
      status: 'terminated',
      reports: ['half way', { left: 1 }],
    });
  });

  const dismissals = [
    ['the cross', (user: UserEvent) => user.click(button('Cancel'))],
    ['Escape', (user: UserEvent) => user.keyboard('{Escape}')],
  ] as const;
  test.each(dismissals)('%s cancels the call before the code runs', async (_, dismiss) => {
    const { tool, started, user } = setUp();
    render(<ClientToolDialogs tools={[tool]} />);
    await dismiss(user);
    expect(tool.cancel).toHaveBeenCalledTimes(1);
    expect(started).toHaveLength(0);
  });

  test.each(dismissals)(
    '%s stops running code, and the agent gets the reports so far',
    async (_, dismiss) => {
      const { tool, started, report, user } = setUp();
      render(<ClientToolDialogs tools={[tool]} />);
      await user.click(button('Run code'));
      report('one order placed');
      await dismiss(user);
      expect(started[0]?.terminated).toEqual(['stopped by the user']);
      expect(tool.submit.mock.calls).toMatchObject([
        [{ status: 'terminated', reports: ['one order placed'] }],
      ]);
      expect(tool.cancel).not.toHaveBeenCalled();
      expect(screen.queryByRole('dialog')).toBeNull();
    },
  );

  test('the dialog shows live reports in the form that the agent gets, even values without a text form', async () => {
    const { tool, report, user } = setUp();
    render(<ClientToolDialogs tools={[tool]} />);
    await user.click(button('Run code'));
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const value of [cycle, { n: 1n, toString: 1, valueOf: 1 }, new Map([['a', 1]])]) report(value);
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '["[contains itself]"]',
      '{"n":"1n","toString":1,"valueOf":1}',
      '[["a",1]]',
    ]);
  });

  test('a report that repeats the same part or text exponentially does not stop the page', async () => {
    const { tool, report, user } = setUp();
    render(<ClientToolDialogs tools={[tool]} />);
    await user.click(button('Run code'));
    let bomb: unknown[] = ['end'];
    for (let level = 0; level < 60; level++) bomb = [bomb, bomb];
    report(bomb);
    const part = ['x'.repeat(1_000_000)];
    report(Array(1000).fill(part));
    const [first, second] = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(first).toMatch(/^\[+"end"\]/);
    expect(second).toMatch(/^\[\["x+…$/);
  });

  test('the agent gets an error of the code with its place', async () => {
    const { tool, finish, user } = setUp();
    render(<ClientToolDialogs tools={[tool]} />);
    await user.click(button('Run code'));
    const error = { name: 'TypeError', message: 'no', filename: '<runCode>', line: 1, column: 2 };
    await finish[0]?.({ status: 'error', error });
    expect(tool.submit.mock.calls).toEqual([[{ status: 'error', error, durationMs: 5 }]]);
  });

  test('the agent gets an error when the sandbox refuses a capability', async () => {
    const refuse = () => {
      throw new TypeError("globals['a-b'] cannot be a variable");
    };
    const { tool, user } = setUp({ run: refuse });
    render(<ClientToolDialogs tools={[tool]} />);
    await user.click(button('Run code'));
    const error = { name: 'TypeError', message: "globals['a-b'] cannot be a variable" };
    expect(tool.submit.mock.calls).toEqual([[{ status: 'error', error, durationMs: 0 }]]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('the run is terminated when the question disappears', async () => {
    const { tool, started, user } = setUp();
    const { rerender } = render(<ClientToolDialogs tools={[tool]} />);
    await user.click(button('Run code'));
    await act(async () => rerender(<ClientToolDialogs tools={[]} />));
    expect(started[0]?.terminated).toEqual(['nobody waits for it any more']);
  });

  test('the dialog shows deceptive characters of the code as escapes', () => {
    const { tool } = setUp({}, { code: '/* \u202e */ evil()' });
    render(<ClientToolDialogs tools={[tool]} />);
    expect(screen.getByRole('region', { name: 'Code' }).textContent).toBe('/* \\u{202e} */ evil()');
  });

  test.each([
    ['a joiner in a name', 'ev\u200dal()', 'ev\\u{200d}al()'],
    ['a name that looks like nothing', 'const { a, \u3164 } = b', 'const { a, \\u{3164} } = b'],
  ])('the dialog shows %s as an escape', (_, code, shown) => {
    const { tool } = setUp({}, { code });
    render(<ClientToolDialogs tools={[tool]} />);
    expect(screen.getByRole('region', { name: 'Code' }).textContent).toBe(shown);
  });

  test('the dialog escapes and shortens the explanation', () => {
    const explanation = `Reads \u202esredro ruoy${'!'.repeat(5_000)}`;
    const { tool } = setUp({}, { code: '1', explanation });
    render(<ClientToolDialogs tools={[tool]} />);
    const [why] = screen.getAllByText(/^Reads/);
    expect(why?.textContent).toMatch(/^Reads \\u\{202e\}sredro ruoy!{1,2000}…$/);
  });

  test('the dialog asks again for a later call with the id of an earlier one', async () => {
    const { tool, definition, started, finish, user } = setUp();
    const { rerender } = render(<ClientToolDialogs tools={[tool]} />);
    await user.click(button('Run code'));
    await finish[0]?.({ result: 'one' });
    const next = createLaterTool(definition);
    rerender(<ClientToolDialogs tools={[next]} />);
    await user.click(button('Run code'));
    await finish[1]?.({ result: 'two' });
    expect(started.map(({ source }) => source)).toEqual(['export default 1', 'export default 2']);
    expect(next.submit.mock.calls).toMatchObject([[{ result: 'two' }]]);
  });

  test('the question is a card with surface card', async () => {
    const { tool, user } = setUp({ surface: 'card' });
    render(<ClientToolDialogs tools={[tool]} mode="inline" />);
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(button('Don’t run'));
    expect(tool.decline).toHaveBeenCalledTimes(1);
  });
});

describe('RunCodeCard', () => {
  test('the card replaces the dialog once the code runs, and shows the result', async () => {
    const { tool, definition, part, report, finish, user } = setUp();
    render(
      <>
        <RunCodeCard tool={definition} part={part} />
        <ClientToolDialogs tools={[tool]} />
      </>,
      { wrapper: StrictMode },
    );
    expect(screen.getByText('Waiting for you')).toBeDefined();
    await user.click(button('Run code'));
    expect(screen.queryByRole('dialog')).toBeNull();
    report('half way');
    expect(screen.getByRole('log', { name: 'Progress' }).textContent).toBe('half way');
    await finish[0]?.({ result: 42, logs: [{ level: 'log', args: ['done', 1], timestamp: 0 }] });
    expect(screen.getByText('Finished')).toBeDefined();
    expect(screen.getByText('42')).toBeDefined();
    expect(screen.getByRole('log', { name: 'Console' }).textContent).toBe('done 1');
    expect(tool.submit).toHaveBeenCalledTimes(1);
  });

  test('a later call with the id of an earlier one runs as well, and the earlier card stays', async () => {
    const { tool, definition, part, started, finish, user } = setUp();
    const next = createLaterTool(definition);
    const nextPart = { ...part, args: next.args as ToolCallPart['args'] };
    const show = (parts: readonly ToolCallPart[], tools: readonly (typeof tool)[]) => (
      <StrictMode>
        {parts.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the test needs two cards with one id
          <RunCodeCard key={index} tool={definition} part={each} />
        ))}
        <ClientToolDialogs tools={tools} />
      </StrictMode>
    );
    const { rerender } = render(show([part], [tool]));
    await user.click(button('Run code'));
    await finish[0]?.({ result: 'one' });
    const done: ToolCallPart = { ...part, status: 'done', result: tool.submit.mock.calls[0]?.[0] };
    rerender(show([done, nextPart], [next]));
    await user.click(button('Run code'));
    expect(started.map(({ source }) => source)).toEqual(['export default 1', 'export default 2']);
    expect(screen.getAllByText('Finished')).toHaveLength(1);
    await finish[1]?.({ result: 'two' });
    expect(next.submit.mock.calls).toMatchObject([[{ result: 'two' }]]);
    expect(screen.getByText('one')).toBeDefined();
    expect(screen.getByText('two')).toBeDefined();
  });

  test('two programs of calls with one id, as in two chats, are two runs with a card each', async () => {
    const { tool, definition, part, started, finish, user } = setUp({ surface: 'card' });
    const args = { code: 'export default 2' };
    const other = createTestTool({ toolName: 'run-code', args, definition });
    render(
      <>
        <RunCodeCard tool={definition} part={part} />
        <ClientToolDialogs tools={[tool]} mode="inline" />
        <RunCodeCard tool={definition} part={{ ...part, args }} />
        <ClientToolDialogs tools={[other]} mode="inline" />
      </>,
      { wrapper: StrictMode },
    );
    await user.click(screen.getAllByRole('button', { name: 'Run code' })[0] as HTMLElement);
    expect(screen.getAllByText('Waiting for you')).toHaveLength(1);
    await user.click(button('Run code'));
    expect(started.map(({ source }) => source)).toEqual(['export default 1', 'export default 2']);
    await finish[1]?.({ result: 'two' });
    expect(screen.getAllByRole('button', { name: 'Stop' })).toHaveLength(1);
    await finish[0]?.({ result: 'one' });
    expect(tool.submit.mock.calls).toMatchObject([[{ result: 'one' }]]);
    expect(other.submit.mock.calls).toMatchObject([[{ result: 'two' }]]);
    expect([screen.getByText('one'), screen.getByText('two')]).toHaveLength(2);
  });

  test('a card that appears during the run replaces the dialog, and the dialog returns when the card disappears', async () => {
    const { tool, definition, part, user } = setUp();
    const show = (cards: readonly ToolCallPart[]) => (
      <>
        <ClientToolDialogs tools={[tool]} />
        {cards.map((each) => (
          <RunCodeCard key="card" tool={definition} part={each} />
        ))}
      </>
    );
    const { rerender } = render(show([]));
    await user.click(button('Run code'));
    rerender(show([part]));
    expect(screen.queryByRole('dialog')).toBeNull();
    rerender(show([]));
    await user.click(button('Stop'));
    expect(tool.submit.mock.calls).toMatchObject([[{ status: 'terminated' }]]);
  });

  test('the stop button of the card terminates the run', async () => {
    const { tool, definition, part, started, user } = setUp();
    render(
      <>
        <RunCodeCard tool={definition} part={part} />
        <ClientToolDialogs tools={[tool]} />
      </>,
    );
    await user.click(button('Run code'));
    await user.click(button('Stop'));
    expect(started[0]?.terminated).toEqual(['stopped by the user']);
    expect(screen.getByText('Stopped')).toBeDefined();
  });

  test('the card shows the result of the message after a reload', () => {
    const { definition, part } = setUp();
    const result = {
      status: 'memory',
      error: { name: 'MemoryLimitError', message: 'too much' },
      durationMs: 1500,
    };
    render(<RunCodeCard tool={definition} part={{ ...part, status: 'done', result }} />);
    expect(screen.getByText('Out of memory')).toBeDefined();
    expect(screen.getByText('MemoryLimitError: too much')).toBeDefined();
    expect(screen.getByText('1.5 s')).toBeDefined();
  });

  const whole = { status: 'success', durationMs: 1, logs: ['and 3 more'] };
  test.each([
    ['without a status', { outcome: 'declined' }],
    ['with another status', { ...whole, status: 'toString' }],
    ['without a duration', { ...whole, durationMs: undefined }],
    ['with an error that is a string', { ...whole, error: 'no' }],
    ['with reports that are not a list', { ...whole, reports: 1 }],
    ['with logs that are not a list', { ...whole, logs: {} }],
    ['with a log without values', { ...whole, logs: [{ level: 'log' }] }],
    ['with a log that is null', { ...whole, logs: [null] }],
  ])('the card ignores a result %s', (_, result) => {
    const { definition, part } = setUp();
    render(<RunCodeCard tool={definition} part={{ ...part, status: 'done', outcome: 'declined', result }} />);
    expect(screen.getByText('declined')).toBeDefined();
  });

  test.each([
    ['a cancelled call by the labels of the kit', 'cancelled', 'User cancelled', 'abgebrochen'],
    ['a failed call by its error', 'error', 'No handler', 'No handler'],
  ] as const)('the card describes %s', (_, status, error, shown) => {
    const { definition, part } = setUp();
    const callStatus = { ...englishLabels.callStatus, cancelled: 'abgebrochen' };
    render(
      <LabelsProvider labels={{ callStatus }}>
        <RunCodeCard tool={definition} part={{ ...part, status, error }} />
      </LabelsProvider>,
    );
    expect(screen.getByText(shown)).toBeDefined();
  });
});

describe('runCodeTool', () => {
  test('runCodeInput accepts only valid arguments', () => {
    const check = (value: unknown) => runCodeInput().safeParse(value).success;
    expect(check({ code: 'export default 1' })).toBe(true);
    expect(check({ code: 1 })).toBe(false);
    expect(check({ code: '', language: 'python' })).toBe(false);
    // The dialog cannot show longer code in full, and a person must see all code before consenting.
    expect(check({ code: ' '.repeat(500_000) })).toBe(true);
    expect(check({ code: ' '.repeat(500_001) })).toBe(false);
    expect(runCodeTool()).toMatchObject({ interactive: true, title: 'Run code', severity: 'caution' });
  });

  test.each([0, -1, Number.NaN])(
    'runCodeTool throws a TypeError for a runTimeoutMs of %d',
    (runTimeoutMs) => {
      expect(() => runCodeTool({ runTimeoutMs })).toThrow(
        new TypeError(`runTimeoutMs must be more than zero milliseconds, not ${runTimeoutMs}`),
      );
    },
  );
});

test('the card of a run has the title and the status of a call like other rows of the transcript', () => {
  const { definition, part } = setUp();
  render(<RunCodeCard part={part} tool={definition} />);
  expect(document.querySelector('.hr-run-title')?.textContent).toBe('Run codeWaiting for you');
  expect(document.querySelector('.hr-run-title .hr-status-icon')).toBeTruthy();
});
