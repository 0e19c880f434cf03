/** Tools of the page that the agent sees: what is allowed, and what a page cannot make of it. */
import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import {
  type AgentSessionOptions,
  createAgentSession,
} from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import {
  calls,
  continueWith,
  createListAgent,
  createTestClock,
  hello,
  run,
  settle,
  stop,
  text,
} from '../support.ts';

const pick = { name: 'pick', description: 'Pick a colour', inputSchema: { type: 'object' } };
const rate = { name: 'rate', title: 'Rate' };

function created(options: Partial<AgentSessionOptions> = {}) {
  const agent = createListAgent([...text('hello'), stop]);
  const session = createAgentSession({ id: 's', agent, ...options });
  const send = (clientTools: unknown) => run(session, { ...hello, clientTools });
  const seen = () => agent.contexts.at(-1)?.clientTools?.map(({ name }) => name);
  return { agent, session, send, seen };
}

const errorIn = (events: readonly AgentEvent[]) => events.find((event) => event.type === 'error');

describe('the rule clientTools', () => {
  it.each<[string, AgentSessionOptions['clientTools'], readonly string[]]>([
    ['no rule', undefined, []],
    ["'all'", 'all', ['pick', 'rate']],
    ['a list of names', ['rate', 'other'], ['rate']],
    ['an empty list', [], []],
    ['a function', ({ title }) => title === 'Rate', ['rate']],
    ['a function that promises', async ({ name }) => name === 'pick', ['pick']],
  ])('%s decides which tools the agent sees', async (_, clientTools, names) => {
    const { send, seen } = created(clientTools === undefined ? {} : { clientTools });
    await send([pick, rate]);
    expect(seen()).toEqual(names);
  });

  it('the agent gets the whole description, and nothing that is no description', async () => {
    const { send, agent } = created({ clientTools: 'all' });
    const annotations = { readOnlyHint: true, title: 'Pick', evil: 1, openWorldHint: 'yes' };
    await send([{ ...pick, annotations, execute: 'rm', extra: {} }]);
    expect(agent.contexts[0]?.clientTools).toEqual([
      { ...pick, annotations: { readOnlyHint: true, title: 'Pick' } },
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
      /broken/,
    ],
    ['rejects', () => Promise.reject(new Error('broken')), /broken/],
    ['says something else', () => 'yes' as unknown as boolean, /returned a value of type string/],
  ] as const)(
    'a rule that %s leaves the tool out, and is reported with its name',
    async (_, rule, message) => {
      const onError = vi.fn();
      const { send, seen } = created({ clientTools: ({ name }) => name === 'pick' || rule(), onError });
      await send([pick, rate]);
      expect(seen()).toEqual(['pick']);
      expect(onError.mock.calls).toEqual([
        [
          expect.objectContaining({ message: expect.stringMatching(message) }),
          { source: 'rule', sessionId: 's', toolName: 'rate' },
        ],
      ]);
    },
  );

  it('a rule that hangs leaves the tool out after ten seconds', async () => {
    const clock = createTestClock();
    const onError = vi.fn();
    const hangs = () => new Promise<boolean>(() => {});
    const { send, seen, agent } = created({
      clientTools: ({ name }) => name === 'pick' || hangs(),
      clock,
      onError,
    });
    const sent = send([pick, rate]);
    await settle();
    expect(agent.contexts).toHaveLength(0);
    clock.advance(10_000);
    await sent;
    expect(seen()).toEqual(['pick']);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('a rule cannot change what the agent sees of another tool', async () => {
    const onError = vi.fn();
    const clientTools: AgentSessionOptions['clientTools'] = (tool) => {
      Object.assign(tool, { description: 'changed' });
      return true;
    };
    const { send, seen } = created({ clientTools, onError });
    await send([pick]);
    expect(seen()).toEqual([]);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it.each([['all'], [['pick', 'rate']], [() => true]] as const)(
    'a tool of the page under the name of a server tool is never shown: %j',
    async (clientTools) => {
      const { send, seen } = created({ clientTools, tools: { pick: () => 'of the server' } });
      await send([pick, rate]);
      expect(seen()).toEqual(['rate']);
    },
  );

  it.each([['everything'], [7], [[7]], [null]])('refuses the rule %j', (rule) => {
    const clientTools = rule as unknown as 'all';
    expect(() => created({ clientTools })).toThrow(
      "clientTools must be 'all', a list of names, or a function",
    );
  });
});

describe('a turn with tools of the page', () => {
  it('a continuation has the tools of its trigger, also in another process', async () => {
    const store = createMemorySessionStore();
    const first = createListAgent(calls('pick'));
    const rule = vi.fn(() => true);
    const events = await run(createAgentSession({ id: 's', agent: first, store, clientTools: rule }), {
      ...hello,
      clientTools: [pick, rate],
    });
    const second = createListAgent([...text('red'), stop]);
    const other = createAgentSession({
      id: 's',
      agent: second,
      store,
      clientTools: rule,
      tools: { rate: () => 1 },
    });
    await run(other, { ...continueWith(events), clientTools: [{ name: 'evil' }] });
    expect(second.contexts[0]?.clientTools).toEqual([pick]);
    expect(rule).toHaveBeenCalledTimes(2);
  });

  it('a process without the rule shows nothing, whatever the record has', async () => {
    const store = createMemorySessionStore();
    const events = await run(
      createAgentSession({ id: 's', agent: createListAgent(calls('pick')), store, clientTools: 'all' }),
      { ...hello, clientTools: [pick] },
    );
    const agent = createListAgent([stop]);
    await run(createAgentSession({ id: 's', agent, store }), continueWith(events));
    expect(agent.contexts[0]?.clientTools).toEqual([]);
  });

  it('the next message has the tools that it brings', async () => {
    const { send, seen, session } = created({ clientTools: 'all' });
    await send([pick]);
    expect(seen()).toEqual(['pick']);
    await send([rate]);
    expect(seen()).toEqual(['rate']);
    await run(session, hello);
    expect(seen()).toEqual([]);
  });

  it('the record has what is allowed alone', async () => {
    const store = createMemorySessionStore();
    const { send } = created({ store, clientTools: ['pick'] });
    await send([pick, rate]);
    expect((await store.load('s'))?.execution?.clientTools).toEqual([pick]);
    await run(createAgentSession({ id: 't', agent: createListAgent([stop]), store }), {
      ...hello,
      clientTools: [pick],
    });
    expect((await store.load('t'))?.execution).not.toHaveProperty('clientTools');
  });
});

describe('descriptions from a hostile page', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { items: nested(depth - 1) });
  const names = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `t${index}` }));

  it.each<[string, unknown, RegExp]>([
    ['no list', { pick }, /clientTools must be a list/],
    ['no object', [pick, 'rate'], /clientTools\[1\] must be an object with the name/],
    ['no name', [{ description: 'x' }], /clientTools\[0\] must be an object with the name/],
    ['a name with a space', [{ name: 'a b' }], /'a b' has a name that is not allowed/],
    ['an empty name', [{ name: '' }], /'' has a name that is not allowed/],
    ['a long name', [{ name: 'x'.repeat(65) }], /has a name that is not allowed/],
    [
      'the name __proto__',
      [JSON.parse('{"name":"__proto__"}')],
      /'__proto__' has a name that is not allowed/,
    ],
    ['the name constructor', [{ name: 'constructor' }], /'constructor' has a name that is not allowed/],
    ['a name twice', [pick, pick], /'pick' is there twice/],
    ['a number as description', [{ ...pick, description: 7 }], /'pick' has a description that is not a text/],
    [
      'a list as schema',
      [{ ...pick, inputSchema: [] }],
      /'pick' has an inputSchema that is not a JSON Schema/,
    ],
    [
      'a deep schema',
      [{ ...pick, inputSchema: nested(65) }],
      /'pick' has an inputSchema that is nested deeper than 64 levels/,
    ],
    [
      'a key __proto__ in a schema',
      JSON.parse('[{"name":"pick","outputSchema":{"a":{"__proto__":{"b":1}}}}]'),
      /'pick' has an outputSchema with the key __proto__/,
    ],
    [
      'a text as annotations',
      [{ ...pick, annotations: 'safe' }],
      /'pick' has annotations that are not an object/,
    ],
    ['129 tools', names(129), /'t128' is over the limit of 128 tools/],
    [
      'more than 64 kB',
      [pick, { name: 'big', description: 'é'.repeat(32_000) }],
      /'big' is over the limit of 64 kB/,
    ],
  ])('%s is refused, and nothing is changed', async (_, clientTools, message) => {
    const { send, agent } = created({ clientTools: 'all' });
    const events = await send(clientTools);
    expect(errorIn(events)).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    });
    expect(agent.contexts).toHaveLength(0);
  });

  it.each<[string, unknown, number]>([
    ['128 tools', names(128), 128],
    ['63 kB', [{ name: 'big', description: 'x'.repeat(63_000) }], 1],
    ['a schema of 64 levels', [{ ...pick, inputSchema: nested(64) }], 1],
    ['nothing', undefined, 0],
    ['null', null, 0],
  ])('%s is taken', async (_, clientTools, count) => {
    const { send, seen } = created({ clientTools: 'all' });
    expect(errorIn(await send(clientTools))).toBeUndefined();
    expect(seen()).toHaveLength(count);
  });
});
