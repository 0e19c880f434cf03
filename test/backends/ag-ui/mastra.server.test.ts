/** Agents of Mastra behind its AG-UI bridge. Their tools suspend, and go on with the answer of a person. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pickQuestion } from '../../../src/components/client-tools/pick-question.ts';
import { type RealAgents, startRealAgents } from '../../support/real-agents.ts';
import { shownText, untilAnswered, untilQuestion } from '../../support/until-question.ts';

let agents: RealAgents;
beforeAll(async () => {
  agents = await startRealAgents('mastra');
  return () => agents.stop();
});

describe.each(['legacy', 'outcome'])('a tool of Mastra that asks by its %s form', (form) => {
  const open = (agent: string) => agents.visit(`${form}/${agent}`);

  it('shows the call, its arguments and the question, and runs what was confirmed', async () => {
    const chat = open('refund').open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'Pay 3 back?');
    expect(question.toolName).toBe('refund');
    expect(question.args).toMatchObject({ amount: 3 });
    expect(pickQuestion(question)).toMatchObject({ kind: 'confirm' });
    await question.submit({ confirmed: true });
    expect(await untilAnswered(chat)).toBe('Let me see. Results: {"paid":3}');
  });

  it('hears a no of the app as it was submitted', async () => {
    const chat = open('refund').open();
    void chat.sendMessage('Hi');
    await (await untilQuestion(chat, 'Pay 3 back?')).submit({ approved: false });
    expect(await untilAnswered(chat)).toBe('Let me see. Results: {"paid":0}');
  });

  it('hears a no of the dialog', async () => {
    const chat = open('refund').open();
    void chat.sendMessage('Hi');
    (await untilQuestion(chat, 'Pay 3 back?')).decline('too much');
    expect(await untilAnswered(chat)).toBe('Let me see. Results: {"paid":0}');
  });

  it('asks for the fields that the tool waits for, and gets their values', async () => {
    const chat = open('book').open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'Who sleeps where?');
    expect(pickQuestion(question)).toMatchObject({ kind: 'form' });
    await question.submit({ name: 'Ann', bed: 'double' });
    expect(await untilAnswered(chat)).toBe('Let me see. Results: {"nights":2,"name":"Ann","bed":"double"}');
  });

  it('shows the options of a question without a schema, and gets the one that was picked', async () => {
    const chat = open('wait').open();
    void chat.sendMessage('Hi');
    const question = await untilQuestion(chat, 'Anything else?');
    expect(pickQuestion(question)).toMatchObject({ kind: 'choice' });
    expect(shownText(question)).toContain('["tea","cake"]');
    await question.submit('cake');
    expect(await untilAnswered(chat)).toBe('Let me see. Results: {"heard":"cake"}');
  });

  it('asks again after a reload, and takes the answer once', async () => {
    const visit = open('refund');
    const before = visit.open();
    void before.sendMessage('Hi');
    await untilQuestion(before, 'Pay 3 back?');
    before.destroy();
    const page = visit.open();
    await (await untilQuestion(page, 'Pay 3 back?')).submit({ confirmed: true });
    expect(await untilAnswered(page)).toBe('Let me see. Results: {"paid":3}');
    expect(visit.inputs).toHaveLength(2);
    expect(new Set(visit.inputs.map(({ threadId }) => threadId)).size).toBe(1);
  });

  it('asks about a second call after the answer to the first, also over a reload', async () => {
    const visit = open('both');
    const before = visit.open();
    void before.sendMessage('Hi');
    await (await untilQuestion(before, 'Pay 3 back?')).submit({ confirmed: true });
    await untilQuestion(before, 'Who sleeps where?');
    before.destroy();
    const page = visit.open();
    await (await untilQuestion(page, 'Who sleeps where?')).submit({ name: 'Ann', bed: 'single' });
    const said = await untilAnswered(page);
    expect(said).toContain('{"paid":3}');
    expect(said).toContain('{"nights":2,"name":"Ann","bed":"single"}');
  });

  it('asks for the next message as for the first', async () => {
    const chat = open('refund').open();
    void chat.sendMessage('Hi');
    await (await untilQuestion(chat, 'Pay 3 back?')).submit({ confirmed: true });
    await untilAnswered(chat);
    void chat.sendMessage('And again');
    await (await untilQuestion(chat, 'Pay 3 back?')).submit({ approved: false });
    expect(await untilAnswered(chat)).toBe('Let me see. Results: {"paid":0}');
  });
});

describe('a message in place of an answer to Mastra', () => {
  it('reaches the agent, and nothing is paid', async () => {
    const visit = agents.visit('outcome/refund');
    const chat = visit.open();
    void chat.sendMessage('Hi');
    await untilQuestion(chat, 'Pay 3 back?');
    void chat.sendMessage('Wait', { whilePending: 'cancel' });
    await expect.poll(() => visit.inputs.length).toBe(2);
    expect(visit.inputs[1]?.resume).toMatchObject([{ status: 'cancelled' }]);
    expect(visit.inputs[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'Wait' });
  });
});
