import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { encodeNativeCommand } from '../../../src/core/protocol/native-encode.ts';
import type { AgentChatOptions, ClientTools } from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { open, restored } from '../../support/persisted-page.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { failure } from '../../support/scripted-events.ts';

/** The tools that the trigger of a chat describes. */
async function described(options: Partial<AgentChatOptions>) {
  const { chat, backend } = scriptedChat({ describeClientTools: true, ...options });
  void chat.sendMessage('Hi');
  const { command } = await backend.request(0);
  return command.type === 'trigger' ? command.clientTools : undefined;
}

const rate = {
  title: 'Rate',
  description: 'Asks for a rating',
  input: z.object({ question: z.string() }),
  output: z.object({ rating: z.number() }),
  annotations: { readOnlyHint: true },
  interactive: true,
} as const;

describe('describeClientTools', () => {
  it('a trigger carries what the tools say of themselves, as JSON Schema', async () => {
    expect(await described({ clientTools: { rate, locate: () => 1, ask: 'interactive' } })).toMatchObject([
      {
        name: 'rate',
        title: 'Rate',
        description: 'Asks for a rating',
        inputSchema: { type: 'object', properties: { question: { type: 'string' } } },
        outputSchema: { type: 'object', properties: { rating: { type: 'number' } } },
        annotations: { readOnlyHint: true },
      },
      { name: 'locate' },
      { name: 'ask' },
    ]);
  });

  it('a chat without the option describes nothing', async () => {
    expect(await described({ clientTools: { rate }, describeClientTools: false })).toBeUndefined();
  });

  it('tools that components have registered are described, as they are when the trigger is sent', async () => {
    const { chat, backend } = scriptedChat({ describeClientTools: true, clientTools: { rate } });
    const { unregister } = chat.registerTool('pick', () => 1);
    chat.registerTool('rate', { ...rate, title: 'Grade' });
    void chat.sendMessage('Hi');
    const first = await backend.request(0);
    expect(first.command).toMatchObject({ clientTools: [{ title: 'Grade' }, { name: 'pick' }] });
    unregister();
    first.send(failure);
    first.end();
    await settled();
    void chat.retry();
    const { command } = await backend.request(1);
    expect(command.type === 'trigger' && command.clientTools?.map(({ name }) => name)).toEqual(['rate']);
  });

  it('a schema that does not describe itself is left out', async () => {
    const { validate, vendor, version } = z.object({ a: z.string() })['~standard'];
    const input = { '~standard': { validate, vendor, version } };
    expect(await described({ clientTools: { a: { execute: () => 1, input } } })).toEqual([{ name: 'a' }]);
  });

  it('the description is on the wire, and not in the stored conversation', async () => {
    const storage = createMemoryStorage();
    const { chat, backend } = open(storage, { describeClientTools: true, clientTools: { rate } });
    await restored(chat);
    void chat.sendMessage('Hi');
    const { command } = await backend.request(0);
    expect(encodeNativeCommand(command)).toMatchObject({ type: 'trigger', clientTools: [{ name: 'rate' }] });
    await settled();
    expect([...storage.entries.values()].join()).toContain('user-message');
    expect([...storage.entries.values()].join()).not.toContain('Asks for a rating');
  });

  it('tools over 128 are left out, with one warning that names them', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const names = Array.from({ length: 130 }, (_, index) => `tool-${index}`);
    const clientTools: ClientTools = Object.fromEntries(names.map((name) => [name, () => 1]));
    const first = await described({ clientTools });
    await described({ clientTools });
    expect(first?.map(({ name }) => name)).toEqual(names.slice(0, 128));
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/leaves out: tool-128, tool-129\..*128 tools and 64 kB/)],
    ]);
  });

  it('a tool that does not fit into 64 kB is left out, and a smaller one after it is not', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const sized = (length: number) => ({ execute: () => 1, description: 'é'.repeat(length / 2) });
    const clientTools = { big: sized(40_000), bigger: sized(40_000), small: sized(20_000) };
    expect((await described({ clientTools }))?.map(({ name }) => name)).toEqual(['big', 'small']);
    expect(warn.mock.calls.flat()).toEqual([expect.stringContaining('leaves out: bigger.')]);
  });

  it.each([['a b'], ['constructor'], ['__proto__'], ['x'.repeat(65)]])(
    'a tool whose name no server takes is left out: %s',
    async (name) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      const clientTools = Object.fromEntries([[name, () => 1]]);
      expect(await described({ clientTools })).toEqual([]);
      expect(warn.mock.calls.flat()).toEqual([expect.stringContaining(`leaves out: ${name}.`)]);
    },
  );
});
