/** A person reads all that an interrupt asks, and can answer it in the way that it wants. */
import { describe, expect, it } from 'vitest';
import { askInOlderForm, askInOutcome } from './ask-agent.ts';
import { called } from './raw-agent.ts';

const approval = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };

describe('a question of LangGraph', () => {
  it.each([
    ['in the older form', () => askInOlderForm('What is your name?')],
    [
      'in the outcome',
      () =>
        askInOutcome({
          reason: 'langgraph:interrupt',
          message: 'What is your name?',
          metadata: { langgraph: { raw: 'What is your name?' } },
        }),
    ],
    ['without a schema', () => askInOutcome({ reason: 'input_required', message: 'What is your name?' })],
  ])('a text %s is answered in words', async (_, ask) => {
    const { tool, answer } = await ask();
    expect(tool).toMatchObject({
      args: { message: 'What is your name?' },
      definition: { ui: 'form', description: 'What is your name?' },
    });
    const input = await answer(() => tool.submit('Ann'));
    const { command } = Object(input?.forwardedProps);
    const [entry = { payload: command?.resume }] = (input?.resume ?? []) as { payload: unknown }[];
    expect(entry.payload).toBe('Ann');
  });

  const choice = { question: 'Which size?', options: ['S', 'L'] };
  it.each([
    ['JSON in the older form', () => askInOlderForm(JSON.stringify(choice))],
    ['an object in the older form', () => askInOlderForm(choice)],
    [
      'in the outcome',
      () => askInOutcome({ reason: 'langgraph:interrupt', metadata: { langgraph: { raw: choice } } }),
    ],
  ])('options are a choice: %s', async (_, ask) => {
    const { tool } = await ask();
    expect(tool).toMatchObject({ args: choice, definition: { ui: 'choice' } });
  });

  it('fields that nobody knows are all shown, with a field to answer in', async () => {
    const value = { text: 'Delete all files?', files: ['a', 'b'], count: 2 };
    const { tool } = await askInOlderForm(JSON.stringify(value));
    expect(tool).toMatchObject({ args: value, definition: { ui: 'form' } });
    const other = await askInOutcome({ reason: 'acme:ask', metadata: { acme: value } });
    expect(other.tool).toMatchObject({ args: { acme: value }, definition: { ui: 'form' } });
    const list = await askInOlderForm(['a', 'b']);
    expect(list.tool).toMatchObject({ args: { value: ['a', 'b'] }, definition: { ui: 'form' } });
  });

  it('fields beside a call are shown with its arguments, also those of the same name', async () => {
    const value = { message: 'Pay?', amount: 60, toolCallId: 'c1' };
    const { tool } = await askInOlderForm(value, called('c1', 'refund', '{"amount":50}'));
    expect(tool).toMatchObject({
      toolName: 'refund',
      args: { amount: 50, payload: { message: 'Pay?', amount: 60 } },
      definition: { ui: 'confirm', description: 'Pay?', message: 'Pay?' },
    });
  });

  it('the text of a question about a call is shown beside an argument that is called description', async () => {
    const interrupt = { reason: 'tool_call', toolCallId: 'c1', message: 'Pay?' };
    const { tool } = await askInOutcome(interrupt, called('c1', 'refund', '{"description":"Shoes"}'));
    expect(tool).toMatchObject({ args: { description: 'Shoes' }, definition: { message: 'Pay?' } });
  });
});

describe('a suspended tool of Mastra', () => {
  const suspended = {
    type: 'mastra_suspend',
    toolName: 'refund',
    args: { amount: 50 },
    suspendPayload: { question: 'Refund the shoes?', risk: 'low' },
    resumeSchema: JSON.stringify(approval),
  };
  it.each([
    ['in the older form', () => askInOlderForm(JSON.stringify(suspended))],
    [
      'in the outcome',
      () =>
        askInOutcome({
          reason: 'mastra:tool_suspend',
          toolCallId: 'c1',
          responseSchema: approval,
          metadata: { mastra: suspended },
        }),
    ],
  ])('shows its name, arguments and question %s', async (_, ask) => {
    const { tool } = await ask();
    expect(tool).toMatchObject({
      toolName: 'refund',
      args: { amount: 50, question: 'Refund the shoes?', risk: 'low' },
      definition: { ui: 'confirm', description: 'Refund the shoes?' },
    });
  });

  it('is a form where its schema is one, and answered in words without a schema', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const form = await askInOlderForm({ ...suspended, resumeSchema: JSON.stringify(schema) });
    expect(form.tool.definition?.ui).toBe('form');
    expect(form.tool.submit({ city: 1 })).toMatchObject({ reason: 'invalid-result' });
    const { resumeSchema: _, ...open } = suspended;
    expect((await askInOlderForm(open)).tool.definition?.ui).toBe('form');
  });
});

describe('calls that LangChain wants to have reviewed', () => {
  const request = (name: string, args: object) => ({ name, args, description: `Run ${name}?` });
  const config = (action_name: string, ...allowed_decisions: readonly string[]) => ({
    action_name,
    allowed_decisions,
  });
  const one = (...decisions: readonly string[]) => ({
    action_requests: [request('refund', { amount: 50, to: 'Ann' })],
    review_configs: [config('refund', ...decisions)],
  });
  const two = {
    action_requests: [request('refund', { amount: 50 }), request('mail', { text: 'Hi' })],
    review_configs: [config('refund', 'approve', 'edit', 'reject'), config('mail', 'approve', 'respond')],
  };
  const resumeOf = (input: Readonly<Record<string, unknown>> | undefined) =>
    Object(input?.forwardedProps).command?.resume;

  it('a call is asked about under its name with its arguments, and may be approved, edited or rejected', async () => {
    const ask = () => askInOlderForm(JSON.stringify(one('approve', 'edit', 'reject')));
    const asked = await ask();
    expect(asked.tool).toMatchObject({
      toolName: 'refund',
      args: { amount: 50, to: 'Ann' },
      definition: { ui: 'confirm', editable: true, description: 'Run refund?' },
    });
    const approved = await asked.answer((tool) => tool.submit({ confirmed: true }));
    expect(resumeOf(approved)).toEqual({ decisions: [{ type: 'approve' }] });
    const edited = await (await ask()).answer((tool) =>
      tool.submit({ confirmed: true, editedArgs: { amount: 5, to: 'Ann' }, changedArgs: ['amount'] }),
    );
    expect(resumeOf(edited)).toEqual({
      decisions: [{ type: 'edit', edited_action: { name: 'refund', args: { amount: 5, to: 'Ann' } } }],
    });
    const rejected = await (await ask()).answer((tool) => tool.decline('too much'));
    expect(resumeOf(rejected)).toEqual({ decisions: [{ type: 'reject', message: 'too much' }] });
    const ignored = await (await ask()).answer((tool) => tool.cancel());
    expect(resumeOf(ignored)).toMatchObject({ decisions: [{ type: 'reject' }] });
  });

  it('a call that only a person can answer is answered in words', async () => {
    const asked = await askInOlderForm(one('respond'));
    expect(asked.tool.definition?.ui).toBe('form');
    const input = await asked.answer((tool) => tool.submit('At noon'));
    expect(resumeOf(input)).toEqual({ decisions: [{ type: 'respond', message: 'At noon' }] });
  });

  it('several calls are decided one by one, in the outcome as well', async () => {
    const metadata = { langgraph: { raw: two } };
    const asked = await askInOutcome({ reason: 'langgraph:interrupt', metadata });
    expect(asked.tool).toMatchObject({
      args: { refund: { amount: 50 }, mail: { text: 'Hi' } },
      definition: { ui: 'form', description: 'Run refund?\n\nRun mail?' },
    });
    const input = await asked.answer((tool) =>
      tool.submit({
        refund: { type: 'edit', args: { amount: 5 } },
        mail: { type: 'respond', message: 'Later' },
      }),
    );
    expect(input?.resume).toMatchObject([
      {
        status: 'resolved',
        payload: {
          decisions: [
            { type: 'edit', edited_action: { name: 'refund', args: { amount: 5 } } },
            { type: 'respond', message: 'Later' },
          ],
        },
      },
    ]);
  });

  it('the JavaScript spelling is read, and answered in it', async () => {
    const asked = await askInOlderForm({
      actionRequests: [request('pay', { amount: 1 }), request('pay', { amount: 2 })],
      reviewConfigs: [{ actionName: 'pay', allowedDecisions: ['approve', 'edit'] }],
    });
    expect(asked.tool.args).toEqual({ pay: { amount: 1 }, 'pay 2': { amount: 2 } });
    const input = await asked.answer((tool) =>
      tool.submit({ pay: { type: 'approve' }, 'pay 2': { type: 'edit', args: { amount: 0 } } }),
    );
    expect(resumeOf(input)).toEqual({
      decisions: [{ type: 'approve' }, { type: 'edit', editedAction: { name: 'pay', args: { amount: 0 } } }],
    });
  });

  it('decisions that the app makes itself go out as they are', async () => {
    const decisions = { decisions: [{ type: 'approve' }, { type: 'reject' }] };
    const asked = await askInOlderForm(two);
    expect(resumeOf(await asked.answer((tool) => tool.submit(decisions)))).toEqual(decisions);
  });
});

describe('the schema of an answer', () => {
  it('a property that is called like something that all objects have is none of the answer', async () => {
    const properties = { ok: { type: 'boolean' }, constructor: { type: 'string' } };
    const responseSchema = { type: 'object', properties };
    const asked = await askInOutcome({ reason: 'input_required', responseSchema });
    const input = await asked.answer((tool) => tool.submit({ ok: true }));
    expect(input?.resume).toEqual([{ interruptId: 'i1', status: 'resolved', payload: { ok: true } }]);
  });

  it('a property of that name is checked where the answer has it', async () => {
    const properties = { constructor: { type: 'string' }, toString: { type: 'string' } };
    const responseSchema = { type: 'object', properties, required: ['constructor'] };
    const { tool } = await askInOutcome({ reason: 'input_required', responseSchema });
    expect(tool.submit({ toString: 'a' })).toMatchObject({ reason: 'invalid-result' });
    expect(tool.submit({ constructor: 'a' })).toEqual({ settled: true });
  });

  it.each([['08:05:00Z'], ['08:05:30.5+02:00']])('a time of day with an offset, %s, is taken', async (at) => {
    const properties = { at: { type: 'string', format: 'time' } };
    const { tool } = await askInOutcome({
      reason: 'input_required',
      responseSchema: { type: 'object', properties, required: ['at'] },
    });
    expect(tool.submit({ at: '8 o clock' })).toMatchObject({ reason: 'invalid-result' });
    expect(tool.submit({ at })).toEqual({ settled: true });
  });

  it('edited arguments that the schema does not name are shown', async () => {
    const editedArgs = { type: 'object', properties: { amount: { type: 'number' } } };
    const responseSchema = { type: 'object', properties: { approved: { type: 'boolean' }, editedArgs } };
    const args = '{"amount":3,"iban":"DE1"}';
    const { tool } = await askInOutcome(
      { reason: 'tool_call', toolCallId: 'c1', responseSchema },
      called('c1', 'refund', args),
    );
    expect(tool).toMatchObject({ args: JSON.parse(args), definition: { editable: true } });
  });
});
