import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineClientTool } from '../../src/core.ts';
import { createRecorder, readRecording } from '../../src/devtools.ts';
import { scriptedChat, settled } from '../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped, text } from '../support/scripted-events.ts';

const SECRET = 'hunter2-TOP';

const signIn = defineClientTool({
  interactive: true,
  input: z.object({ site: z.string(), key: z.string().meta({ writeOnly: true }) }),
  output: z.object({ user: z.string(), word: z.string().meta({ format: 'password' }) }),
});

/** A chat whose agent asks a person to sign in, and waits. */
async function askedChat(args: Record<string, unknown>) {
  const stage = scriptedChat({ clientTools: { signIn } });
  const recorder = createRecorder(stage.chat);
  void stage.chat.sendMessage(`my word is ${SECRET}`);
  const run = await stage.backend.request(0);
  run.send(start, request(call('c1', 'signIn', args)), awaitingAnswers);
  run.end();
  await settled();
  return { ...stage, recorder };
}

describe('a recorder', () => {
  it('records the steps of a chat that runs already, beside the trace of the app', async () => {
    const traced: string[] = [];
    const { chat, backend } = scriptedChat({ trace: ({ type }) => traced.push(type) });
    const recorder = createRecorder(chat);
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, ...text('t', 'Hello'), stopped);
    run.end();
    await settled();
    const types = recorder.getRecording().steps.map(({ type }) => type);
    expect(types).toEqual(traced);
    expect(types).toEqual(expect.arrayContaining(['turn-started', 'request-sent', 'turn-ended']));
  });

  it('shows the life of a call with its arguments, and its result once a person has answered', async () => {
    const { chat, recorder } = await askedChat({ site: 'shop', key: 'k' });
    expect(recorder.getRecording()).toMatchObject({
      status: 'awaiting-input',
      calls: [{ toolCallId: 'c1', toolName: 'signIn', status: 'running', args: { site: 'shop' } }],
    });
    chat.getState().pendingCalls[0]?.submit({ user: 'ada', word: SECRET });
    await settled();
    expect(recorder.getRecording().calls[0]).toMatchObject({
      outcome: 'submitted',
      result: { user: 'ada' },
    });
    const stages = recorder
      .getRecording()
      .steps.flatMap((step) => (step.type === 'call-changed' ? [step.stage] : []));
    expect(stages.slice(0, 2)).toEqual(['announced', 'waiting']);
    expect(stages).toContain('delivered');
  });

  it.each([
    ['the schema of the tool marks', { site: 'shop', key: SECRET }],
    ['the name of an argument means', { site: 'shop', key: 'k', apiKey: SECRET }],
  ])('holds no secret that %s, nor the text of a message', async (_, args) => {
    const { chat, recorder } = await askedChat(args);
    chat.getState().pendingCalls[0]?.submit({ user: 'ada', word: SECRET });
    await settled();
    const text = JSON.stringify(recorder.getRecording());
    expect(text).toContain('signIn');
    expect(text).not.toContain(SECRET);
  });

  it('stops, and two recorders of one chat end in any order', async () => {
    const { chat, backend } = scriptedChat();
    const first = createRecorder(chat);
    const second = createRecorder(chat);
    first.stop();
    void chat.sendMessage('Hi');
    await backend.request(0);
    await settled();
    expect(first.getRecording().steps).toEqual([]);
    expect(second.getRecording().steps.length).toBeGreaterThan(0);
    second.clear();
    expect(second.getRecording().steps).toEqual([]);
  });

  it('notifies once for the steps of one task, and returns the same recording until something changes', async () => {
    const { chat, backend } = scriptedChat();
    const recorder = createRecorder(chat);
    await settled();
    const before = recorder.getRecording();
    expect(recorder.getRecording()).toBe(before);
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    await settled();
    let changes = 0;
    recorder.subscribe(() => {
      changes += 1;
    });
    run.send(start, ...text('t', 'a'), ...text('t', 'b'), ...text('t', 'c'));
    await settled();
    expect(changes).toBeGreaterThan(0);
    expect(changes).toBeLessThan(4);
    expect(recorder.getRecording()).not.toBe(before);
  });

  it('keeps the latest 2,000 steps and counts the older ones', async () => {
    const { chat, backend } = scriptedChat();
    const recorder = createRecorder(chat);
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, ...Array.from({ length: 1100 }, () => text('t', 'a')).flat());
    await settled();
    const { steps, dropped } = recorder.getRecording();
    expect(steps).toHaveLength(2000);
    expect(dropped).toBeGreaterThanOrEqual(100);
  });

  it('refuses something that is no chat, with the fix', () => {
    expect(() => createRecorder({} as never)).toThrow(
      /no chat\. Give it what useAgentChat or createAgentChat/,
    );
    expect(() => createRecorder(undefined as never)).toThrow(/no chat/);
  });
});

describe('a recording', () => {
  it('is read back as it was saved', async () => {
    const { recorder } = await askedChat({ site: 'shop', key: 'k' });
    const recording = recorder.getRecording();
    expect(readRecording(JSON.stringify(recording))).toEqual(JSON.parse(JSON.stringify(recording)));
  });

  it.each([
    ['no JSON', 'hello', /no recording of handrail.*Download/],
    ['other JSON', '{"a":1}', /no recording of handrail/],
    ['a later version', '{"format":"handrail-recording","version":2}', /version 2.*reads version 1/],
    ['a damaged file', '{"format":"handrail-recording","version":1,"steps":[1],"calls":[]}', /damaged/],
  ])('that is %s is refused', (_, text, words) => {
    expect(() => readRecording(text)).toThrow(words);
  });
});
