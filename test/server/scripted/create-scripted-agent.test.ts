import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import {
  type AgentScript,
  createScriptedAgent,
  type ScriptTurn,
} from '../../../src/server/scripted/create-scripted-agent.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import {
  collect,
  continueWith,
  createTestClock,
  hello,
  run,
  settle,
  types,
  withoutCursors,
} from '../support.ts';

const say = (content: string) => ({ ...hello, input: { USER_MESSAGE: content } });
const spoken = (events: readonly AgentEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('');

function createSession(script: AgentScript, tools = {}) {
  return createAgentSession({ id: 's', agent: createScriptedAgent(script), tools, createId: () => 'id' });
}

describe('createScriptedAgent', () => {
  it('createScriptedAgent streams text and reasoning word by word', async () => {
    const events = await run(
      createSession([{ reasoning: 'Hm.' }, 'Two words\nmore', { text: '  led ' }]),
      hello,
    );
    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))).toEqual([
      ...['Two ', 'words\n', 'more'],
      ...['  ', 'led '],
    ]);
    expect(types(events).slice(1, 4)).toEqual(['reasoning-start', 'reasoning-delta', 'reasoning-end']);
  });

  it('createScriptedAgent gives every text of a message its own id', async () => {
    const steps = ['One.', 'Two.', { object: {}, typeName: 'A' }, { object: {}, typeName: 'B' }];
    const events = await run(createSession(steps), hello);
    const ids = events.flatMap((event) => (event.type === 'text-start' ? [event.id] : []));
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
  });

  it('createScriptedAgent ends the turn at an error step, which may be a string', async () => {
    const events = await run(createSession(['Before. ', { error: 'Out of paper' }, 'After.']), hello);
    expect(spoken(events)).toBe('Before. ');
    expect(events.find(({ type }) => type === 'error')).toMatchObject({
      message: 'Out of paper',
      errorType: 'execution_error',
      retryable: false,
    });
  });

  it('createScriptedAgent has a default text for a message that matches no scenario', async () => {
    const events = await run(createSession([{ when: 'order', steps: ['Ordered.'] }]), say('Hello'));
    expect(spoken(events)).toBe('I have no answer to that.');
  });

  it('createScriptedAgent makes one batch of consecutive calls and continues after their answers', async () => {
    const session = createSession(
      [
        'First. ',
        { call: 'add', args: { a: 1 } },
        { call: 'ask', title: 'Ask someone' },
        (turn) => `Sum ${turn.result('add')?.result}, said ${turn.result('ask')?.result}.`,
        { call: 'ask' },
        'End.',
      ],
      { add: () => 3 },
    );
    const first = await run(session, hello);
    expect(withoutCursors(first).filter((event) => 'toolCallId' in event)).toEqual([
      { type: 'tool-input-start', toolCallId: 'call-1', toolName: 'add' },
      { type: 'tool-input-delta', toolCallId: 'call-1', inputTextDelta: '{"a":1}' },
      { type: 'tool-input-end', toolCallId: 'call-1' },
      { type: 'tool-input-available', toolCallId: 'call-1', toolName: 'add', input: { a: 1 } },
      { type: 'tool-input-start', toolCallId: 'call-2', toolName: 'ask', title: 'Ask someone' },
      { type: 'tool-input-delta', toolCallId: 'call-2', inputTextDelta: '{}' },
      { type: 'tool-input-end', toolCallId: 'call-2' },
      { type: 'tool-input-available', toolCallId: 'call-2', toolName: 'ask', input: {} },
      { type: 'tool-output-available', toolCallId: 'call-1', output: 3 },
    ]);
    const second = await run(
      session,
      continueWith(first, () => 'yes'),
    );
    expect(spoken(second)).toBe('Sum 3, said yes.');
    const third = await run(
      session,
      continueWith(second, () => 'no'),
    );
    expect(spoken(third)).toBe('End.');
    expect(third.at(-1)).toMatchObject({ finishReason: 'stop' });
    // The next message starts the script again, with new ids.
    expect(types(await run(session, hello))).toContain('client-tool-request');
  });

  it('a function after a batch may return further calls', async () => {
    const session = createSession([{ call: 'a' }, () => [{ call: 'b' }, { call: 'c' }], 'end'], {
      a: () => 1,
      b: () => 2,
      c: () => 3,
    });
    const events = await run(session, hello);
    expect(types(events).filter((type) => type === 'tool-output-available')).toHaveLength(3);
    expect(spoken(events)).toBe('end');
  });

  it('createScriptedAgent makes two batches of calls before and after a text', async () => {
    const session = createSession([{ call: 'a', id: 'mine' }, 'Between. ', { call: 'b' }, 'End.'], {
      a: () => 1,
      b: () => 2,
    });
    const events = await run(session, hello);
    const made = events.flatMap((event) => {
      if (event.type === 'text-delta') return [event.delta];
      return event.type === 'tool-output-available' ? [event.toolCallId] : [];
    });
    expect(made).toEqual(['mine', 'Between. ', 'call-2', 'End.']);
  });

  it('a function of a script sees the answers before its place each time it is called', async () => {
    const seen: unknown[] = [];
    const look = (place: string) => (turn: ScriptTurn) => {
      seen.push([place, ...turn.results.map(({ toolName }) => toolName)]);
      return [];
    };
    const session = createSession(
      [look('start'), { call: 'a' }, look('middle'), { call: 'b' }, look('end')],
      {
        a: () => 1,
        b: () => 2,
      },
    );
    await run(session, hello);
    expect(seen).toEqual([
      ['start'],
      ...[['start'], ['middle', 'a']],
      ...[['start'], ['middle', 'a'], ['end', 'a', 'b']],
    ]);
  });

  it('createScriptedAgent ends the turn when the last call is answered', async () => {
    const events = await run(createSession(['Look. ', { call: 'a' }], { a: () => 1 }), hello);
    expect(types(events).filter((type) => type === 'tool-output-available')).toHaveLength(1);
    expect(spoken(events)).toBe('Look. ');
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('createScriptedAgent chooses a scenario by the text', async () => {
    const session = createSession([
      { steps: ['fallback'] },
      { when: 'order', steps: ['ordered'] },
      { when: /^\d+$/g, steps: ['number'] },
      { when: (_text, turn) => turn.trigger.name === 'refund', steps: ['refunded'] },
    ]);
    const answers = [];
    for (const content of ['please ORDER it', '42', '42', 'hm'])
      answers.push(spoken(await run(session, say(content))));
    answers.push(spoken(await run(session, { type: 'trigger', triggerName: 'refund' })));
    expect(answers).toEqual(['ordered', 'number', 'number', 'fallback', 'refunded']);
  });

  it('createScriptedAgent streams objects, forwards events, and ends at errors', async () => {
    const session = createSession(() => [
      { object: { city: 'Oslo', rain: true }, typeName: 'weather' },
      { event: { type: 'resource-update', name: 'cart', value: [1] } },
      { error: { message: 'busy', errorType: 'rate_limit_error', retryable: true, retryAfter: 2 } },
      'never',
    ]);
    const events = await run(session, hello);
    expect(events[1]).toMatchObject({ type: 'text-start', responseType: 'weather' });
    expect(JSON.parse(spoken(events))).toEqual({ city: 'Oslo', rain: true });
    expect(events.at(-2)).toMatchObject({ type: 'resource-update', value: [1] });
    expect(events.at(-1)).toMatchObject({ type: 'error', errorType: 'rate_limit_error', retryAfter: 2 });
  });

  it.each([
    ['an event', { type: 'text-start', id: 't' }, 'as `{ event: ... }`'],
    ['an error event', { type: 'tool-output-error', toolCallId: 'c', error: 'no' }, 'as `{ event: ... }`'],
    ['a number', 5, '5 is no step'],
    ['null', null, 'null is no step'],
    ['an unknown key', { say: 'Hi' }, 'one of text, reasoning, call'],
  ])('createScriptedAgent names the invalid step %s', async (_, step, message) => {
    const [, ending] = await run(createSession([step as never]), hello);
    expect(ending).toMatchObject({ type: 'error', message: expect.stringContaining(message) });
  });

  it('createScriptedAgent throws for an invalid script', () => {
    for (const script of [undefined, 'Hello', {}]) {
      expect(() => createScriptedAgent(script as never)).toThrow('takes a list of steps');
    }
  });

  it('is deterministic', async () => {
    const script: AgentScript = ['Hello there. ', { call: 'x' }];
    const turns = await Promise.all([run(createSession(script), hello), run(createSession(script), hello)]);
    expect(turns[0]).toEqual(turns[1]);
  });

  it('createScriptedAgent waits by the clock until an abort ends the wait', async () => {
    const clock = createTestClock();
    const agent = createScriptedAgent(['a b', { pauseMs: 1_000 }, 'c'], { delayMs: 10, clock });
    const session = createAgentSession({ id: 's', agent, clock });
    const seen: AgentEvent[] = [];
    const controller = new AbortController();
    const done = (async () => {
      for await (const event of session.execute(hello, { signal: controller.signal })) seen.push(event);
    })();
    await settle();
    expect(spoken(seen)).toBe('a ');
    clock.advance(10);
    await settle();
    expect(spoken(seen)).toBe('a b');
    clock.advance(10);
    await settle();
    clock.advance(999);
    await settle();
    expect(spoken(seen)).toBe('a b');
    controller.abort();
    await done;
    expect(seen.at(-1)).toMatchObject({ finishReason: 'stop' });
    await settle();
    expect(clock.waiting()).toBe(0);
  });

  it('createScriptedAgent streams the arguments of a call by the clock', async () => {
    const clock = createTestClock();
    const agent = createScriptedAgent([{ call: 'ask', args: { text: 'long enough' } }], {
      delayMs: 10,
      clock,
    });
    const session = createAgentSession({ id: 's', agent, clock });
    const seen: AgentEvent[] = [];
    const done = (async () => {
      for await (const event of session.execute(hello)) seen.push(event);
    })();
    const typed = () => seen.filter(({ type }) => type === 'tool-input-delta').length;
    for (const pieces of [1, 2]) {
      await settle();
      expect(typed()).toBe(pieces);
      clock.advance(10);
    }
    await done;
    expect(types(seen)).toContain('client-tool-request');
  });

  it('createScriptedAgent plays the same steps again after an interruption', async () => {
    const session = createSession([{ call: 'ask' }, 'One two three.']);
    const answer = continueWith(await run(session, hello));
    const lost = session.execute(answer);
    for (let count = 0; count < 4; count += 1) await lost.next();
    await lost.return();
    expect(spoken(await collect(session.execute(answer)))).toBe('One two three.');
  });
});
