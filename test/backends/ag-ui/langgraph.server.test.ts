/** LangGraph's API server behind its AG-UI adapter, which asks by custom events or by the outcome of the run. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pickQuestion } from '../../../src/components/client-tools/pick-question.ts';
import { type RealAgents, startRealAgents } from '../../support/real-agents.ts';
import { shownText, textOf, untilAnswered, untilQuestion } from '../../support/until-question.ts';

let agents: RealAgents;
beforeAll(async () => {
  agents = await startRealAgents('langgraph');
  return () => agents.stop();
});

describe.each(['legacy', 'outcome'])('a graph of LangGraph that asks by its %s form', (form) => {
  const open = (graph: string) => agents.visit(`${form}/${graph}`);

  it('hears the words in which a question was answered', async () => {
    const chat = open('name').open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'What is your name?');
    expect(pickQuestion(question)).toMatchObject({ kind: 'form' });
    await question.submit('Ann');
    expect(await untilAnswered(chat)).toBe('Heard "Ann".');
  });

  it('shows the options of a choice, and hears the one that was picked', async () => {
    const chat = open('size').open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'Which size?');
    expect(pickQuestion(question)).toMatchObject({ kind: 'choice' });
    expect(question.args).toMatchObject({ options: ['S', 'L'] });
    await question.submit('L');
    expect(await untilAnswered(chat)).toBe('Heard "L".');
  });

  it('shows every field of a question', async () => {
    const chat = open('erase').open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'Delete all files?');
    expect(shownText(question)).toContain('["a.txt","b.txt"]');
    await question.submit(true);
    expect(await untilAnswered(chat)).toBe('Heard "deleted".');
  });

  it.each([false, 0, ''])('hears %j as it was submitted', async (answer) => {
    const chat = open('erase').open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'Delete all files?');
    await question.submit(answer);
    expect(await untilAnswered(chat)).toBe('Heard "kept".');
  });

  it('asks the second question of a node after the answer to the first', async () => {
    const chat = open('booking').open();
    void chat.sendMessage('Hi');
    await (await untilQuestion(chat, 'Which city?')).submit('Rome');
    const day = await untilQuestion(chat, 'Which day?');
    expect(day.args).toMatchObject({ options: ['Monday', 'Friday'] });
    await day.submit('Friday');
    expect(await untilAnswered(chat)).toBe('Heard {"city":"Rome","day":"Friday"}.');
  });

  it('asks again after a reload, and goes on with the answer', async () => {
    const visit = open('size');
    const before = visit.open();
    void before.sendMessage('Hi');
    await untilQuestion(before, 'Which size?');
    before.destroy();
    const page = visit.open();
    const question = await untilQuestion(page, 'Which size?');
    expect(question.args).toMatchObject({ options: ['S', 'L'] });
    await question.submit('S');
    expect(await untilAnswered(page)).toBe('Heard "S".');
    expect(visit.inputs).toHaveLength(2);
  });

  it('asks for a further message as in a thread without questions', async () => {
    const visit = open('name');
    const chat = visit.open();
    void chat.sendMessage('Hi');
    await (await untilQuestion(chat, 'What is your name?')).submit('Ann');
    await untilAnswered(chat);
    void chat.sendMessage('And again');
    await (await untilQuestion(chat, 'What is your name?')).submit('Bob');
    expect(await untilAnswered(chat)).toBe('Heard "Bob".');
    expect(chat.getState().messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(new Set(visit.inputs.map(({ threadId }) => threadId)).size).toBe(1);
  });
});

describe('questions of LangGraph that are asked at once', () => {
  it('gives each node its own answer, where they were asked by custom events', async () => {
    const chat = agents.visit('legacy/couple').open();
    void chat.sendMessage('Hi');
    const first = await untilQuestion(chat, 'Who comes first?');
    const second = await untilQuestion(chat, 'Who comes second?');
    await Promise.all([first.submit('Ann'), second.submit('Bob')]);
    await untilAnswered(chat);
    const texts = chat
      .getState()
      .messages.map(({ parts }) => JSON.stringify(parts))
      .join('');
    expect(texts).toContain(JSON.stringify('Heard {"first":"Ann"}.').slice(1, -1));
    expect(texts).toContain(JSON.stringify('Heard {"second":"Bob"}.').slice(1, -1));
  });

  it('posts every answer in one resume, where they were asked by the outcome', async () => {
    const visit = agents.visit('outcome/couple');
    const before = visit.open();
    void before.sendMessage('Hi');
    await (await untilQuestion(before, 'Who comes first?')).submit('Ann');
    before.destroy();
    const page = visit.open();
    await (await untilQuestion(page, 'Who comes second?')).submit('Bob');
    await untilAnswered(page);
    expect(visit.inputs).toHaveLength(2);
    expect(visit.inputs[1]?.resume).toMatchObject([
      { status: 'resolved', payload: 'Ann' },
      { status: 'resolved', payload: 'Bob' },
    ]);
  });
});

describe('a question of LangGraph that is not answered', () => {
  it('is never heard as a yes, where a text would be one', async () => {
    const chat = agents.visit('legacy/erase').open();
    void chat.sendMessage('Hi');
    (await untilQuestion(chat, 'Delete all files?')).decline('not today');
    expect(await untilAnswered(chat)).toBe('Heard "kept".');
  });

  it('is never heard as a yes, where the person closes it', async () => {
    const chat = agents.visit('legacy/erase').open();
    void chat.sendMessage('Hi');
    (await untilQuestion(chat, 'Delete all files?')).cancel();
    expect(await untilAnswered(chat)).toBe('Heard "kept".');
  });

  it('tells the graph of its cancellation in the words of the adapter, where the outcome asked', async () => {
    const visit = agents.visit('outcome/name');
    const chat = visit.open();
    void chat.sendMessage('Hi');
    (await untilQuestion(chat, 'What is your name?')).cancel();
    expect(await untilAnswered(chat)).toContain('__agui_cancelled__');
    expect(visit.inputs[1]?.resume).toMatchObject([{ status: 'cancelled' }]);
  });
});

describe.each(['legacy', 'outcome'])('a review of LangChain that is asked by its %s form', (form) => {
  const open = () => agents.visit(`${form}/review`);

  it('shows every call with its arguments and description', async () => {
    const chat = open().open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'May I send this mail?');
    expect(question.args).toMatchObject({ refund: { amount: 3 }, mail: { to: 'ann@example.com' } });
  });

  it('runs what was approved', async () => {
    const chat = open().open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'May I send this mail?');
    await question.submit({ decisions: [{ type: 'approve' }, { type: 'approve' }] });
    expect(await untilAnswered(chat)).toContain('Results: Paid 3. Sent to ann@example.com.');
  });

  it('runs a call with the arguments that the person edited', async () => {
    const chat = open().open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'May I send this mail?');
    await question.submit({ refund: { type: 'edit', args: { amount: 2 } }, mail: { type: 'approve' } });
    expect(await untilAnswered(chat)).toContain('Results: Paid 2. Sent to ann@example.com.');
  });

  it('runs no call of a review that was declined, and the model reads why', async () => {
    const chat = open().open();
    void chat.sendMessage('Hi');
    (await untilQuestion(chat, 'May I send this mail?')).decline('too much');
    expect(await untilAnswered(chat)).toContain('Results: too much too much');
  });

  it('is asked again after a reload, and the message after it is answered', async () => {
    const visit = open();
    const before = visit.open();
    void before.sendMessage('Hi');
    await untilQuestion(before, 'May I send this mail?');
    before.destroy();
    const page = visit.open();
    const question = await untilQuestion(page, 'May I send this mail?');
    await question.submit({ decisions: [{ type: 'approve' }, { type: 'approve' }] });
    expect(await untilAnswered(page)).toContain('Results: Paid 3.');
    void page.sendMessage('Again');
    (await untilQuestion(page, 'May I send this mail?')).decline();
    await untilAnswered(page);
    expect(page.getState().messages.filter(({ role }) => role === 'user')).toHaveLength(2);
  });
});

describe('a call that LangChain takes away, because another one was rejected', () => {
  it('stands no longer on the page, as in the thread of the graph', async () => {
    const chat = agents.visit('outcome/review').open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'May I send this mail?');
    await question.submit({ decisions: [{ type: 'approve' }, { type: 'reject', message: 'no mail' }] });
    await untilAnswered(chat);
    expect(textOf(chat)).toContain('Results: no mail');
    const calls = chat
      .getState()
      .messages.flatMap(({ parts }) => parts)
      .flatMap((part) => (part.type === 'tool-call' ? [part] : []));
    expect(calls.filter(({ status }) => status === 'running')).toEqual([]);
    expect(calls.map(({ toolCallId }) => toolCallId)).not.toContain('refund-1');
  });
});

describe('a chat without an id', () => {
  it('has a thread that LangGraph takes', async () => {
    const chat = agents.visit('legacy/name', {}).open();
    void chat.sendMessage('Hi');
    expect(shownText(await untilQuestion(chat, 'What is your name?'))).toContain('name');
  });
});
