/** What an app submits to an interrupt reaches the agent as it is, and what the kit's dialogs say in the words of the agent. */
import { describe, expect, it } from 'vitest';
import { type Answer, askInOlderForm, askInOutcome, converse, custom, ok } from './ask-agent.ts';
import { ended, started } from './raw-agent.ts';

const submit =
  (value: unknown): Answer =>
  (tool) =>
    tool.submit(value);
const yes = submit({ confirmed: true });
const no: Answer = (tool) => tool.decline('too much');
const cancel: Answer = (tool) => tool.cancel('not now');

const approval = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, comment: { type: 'string' } },
  required: ['approved'],
};
const explained = {
  ...approval,
  properties: { ...approval.properties, reason: { type: 'string' } },
};
const commented: Answer = (tool) => tool.submit({ confirmed: true }, { reason: 'only once' });
const resolved = (payload: unknown) => [{ interruptId: 'i1', status: 'resolved', payload }];

describe('a value that is submitted to an interrupt', () => {
  it.each<[string, object, unknown]>([
    ['false', { reason: 'confirmation', responseSchema: { type: 'boolean' } }, false],
    ['a refusal', { reason: 'tool_call', responseSchema: approval }, { approved: false }],
    [
      'a yes with a comment',
      { reason: 'tool_call', responseSchema: approval },
      { approved: true, comment: 'x' },
    ],
    ['a word', { reason: 'acme:ask' }, 'go'],
    ['an empty text', { reason: 'acme:ask' }, ''],
    ['an object', { reason: 'acme:ask', responseSchema: {} }, { choice: 1 }],
    ['zero', { reason: 'confirmation' }, 0],
    ['an object like a no of the kit', { reason: 'confirmation' }, { confirmed: false }],
    [
      'an object like a no, to an approval',
      { reason: 'tool_call', responseSchema: approval },
      { confirmed: false },
    ],
  ])('%s goes out unchanged', async (_, interrupt, value) => {
    const asked = await askInOutcome({ message: 'Sure?', ...interrupt });
    expect((await asked.answer(submit(value)))?.resume).toEqual(resolved(value));
  });

  it.each([['Ann'], [false], [0], [''], [null], [{ approved: false }], [['a']]])(
    '%j goes out unchanged in the older form',
    async (value) => {
      const asked = await askInOlderForm('What is your name?');
      const input = await asked.answer(submit(value));
      expect(input?.forwardedProps).toEqual({
        command: { resume: value, interruptEvent: 'What is your name?' },
      });
    },
  );

  it('a value goes out unchanged where the app has declared a tool for the questions of LangGraph', async () => {
    const asked = await askInOlderForm('Name?', [], { clientTools: { on_interrupt: 'interactive' } });
    const input = await asked.answer(submit('Ann'));
    expect(input?.forwardedProps).toMatchObject({ command: { resume: 'Ann' } });
  });

  it('a value that lacks the required word of an approval gets it', async () => {
    const asked = await askInOutcome({ reason: 'tool_call', responseSchema: approval });
    const input = await asked.answer(submit({ comment: 'once' }));
    expect(input?.resume).toEqual(resolved({ approved: true, comment: 'once' }));
  });

  it('a form with a field called confirmed submits that field', async () => {
    const responseSchema = { type: 'object', properties: { confirmed: { type: 'boolean' } } };
    const asked = await askInOutcome({ reason: 'input_required', responseSchema });
    expect((await asked.answer(yes))?.resume).toEqual(resolved({ confirmed: true }));
  });
});

describe('what the confirmation of the kit says', () => {
  it.each<[string, object, Answer, unknown]>([
    ['a yes to a boolean', { reason: 'confirmation' }, yes, true],
    ['a yes to an approval', { reason: 'tool_call', responseSchema: approval }, yes, { approved: true }],
    [
      'a yes that the person wants to be remembered',
      { reason: 'tool_call', responseSchema: approval },
      submit({ confirmed: true, remember: true }),
      { approved: true },
    ],
    [
      'a yes with a comment',
      { reason: 'tool_call', responseSchema: explained },
      commented,
      { approved: true, reason: 'only once' },
    ],
    [
      'a yes with a comment for which the agent has no place',
      { reason: 'tool_call', responseSchema: approval },
      commented,
      { approved: true },
    ],
  ])('%s is the yes of the agent', async (_, interrupt, answer, payload) => {
    const asked = await askInOutcome(interrupt);
    expect((await asked.answer(answer))?.resume).toEqual(resolved(payload));
  });

  it.each<[string, unknown, Answer, unknown]>([
    ['a yes is true', 'Pay?', yes, true],
    ['a no is false', 'Pay?', no, false],
    ['a cancellation is false', 'Pay?', cancel, false],
    ['a no to an approval', { message: 'Pay?', responseSchema: approval }, no, { approved: false }],
    ['a cancelled approval', { message: 'Pay?', responseSchema: approval }, cancel, { approved: false }],
    [
      'a no to a suspended tool',
      { suspendPayload: {}, resumeSchema: JSON.stringify(approval) },
      no,
      { approved: false },
    ],
  ])('in the older form, %s', async (_, value, answer, resume) => {
    const asked = await askInOlderForm(value);
    const input = await asked.answer(answer);
    expect(input?.forwardedProps).toEqual({ command: { resume, interruptEvent: value } });
  });

  it('a message in place of an answer is no yes in the older form', async () => {
    const { chat, inputs } = await converse([[started, custom('Pay?'), ended], ok]);
    await chat.sendMessage('What does it cost?', { whilePending: 'cancel' });
    expect(inputs[1]?.forwardedProps).toEqual({ command: { resume: false, interruptEvent: 'Pay?' } });
    expect(inputs[1]?.messages.at(-1)).toMatchObject({ content: 'What does it cost?' });
  });
});
