/** Everybody who gets the arguments of a call gets the same, whatever the others do with theirs. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { type ClientTools, defineClientTool, type SettledCall } from '../../../src/core.ts';
import { copyArguments, freezeArguments } from '../../../src/shared/copy-arguments.ts';
import { asked, settledIn } from '../../support/asked-calls.ts';
import { call } from '../../support/scripted-events.ts';

type Args = {
  amount: number;
  to: { iban: string };
  due: Date;
  tags: Set<string>;
  rates: Map<string, { of: number }>;
};

const SHARED = { iban: 'DE1' };
const input = z.object({
  amount: z.coerce.number(),
  to: z.object({ iban: z.string() }).default(SHARED),
  due: z.iso.datetime().transform((text) => new Date(text)),
  tags: z.array(z.string()).transform((tags) => new Set(tags)),
  rates: z
    .record(z.string(), z.object({ of: z.number() }))
    .transform((rates) => new Map(Object.entries(rates))),
});
const sent = { amount: '80', due: '2026-01-05T10:00:00.000Z', tags: ['rent'], rates: { eur: { of: 1 } } };
const read: Args = {
  amount: 80,
  to: { iban: 'DE1' },
  due: new Date('2026-01-05T10:00:00.000Z'),
  tags: new Set(['rent']),
  rates: new Map([['eur', { of: 1 }]]),
};

/** Changes everything that can be changed. Frozen parts throw. */
function tamper(args: Args): void {
  args.due.setTime(0);
  args.tags.add('evil');
  args.rates.clear();
  const changes = [
    () => {
      args.amount = 8_000;
    },
    () => {
      args.to.iban = 'XX9';
    },
  ];
  for (const change of changes) {
    try {
      change();
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(TypeError);
    }
  }
}

async function pay(clientTools: ClientTools, args: Record<string, unknown> = sent) {
  const records: SettledCall[] = [];
  const page = await asked(clientTools, [call('1', 'pay', args)], {
    onCallSettled: (settledCall) => records.push(settledCall),
  });
  onTestFinished(() => page.chat.destroy());
  await settledIn();
  return { ...page, records };
}

describe('the arguments of a tool with an input schema', () => {
  it('a policy that changes its arguments changes neither the question, the handler nor the record', async () => {
    const ran: unknown[] = [];
    const tool = defineClientTool({
      input,
      approval: (args) => {
        tamper(args);
        return true;
      },
      execute: (args) => void ran.push(args),
    });
    const { waiting, records } = await pay({ pay: tool });
    const [question] = waiting();
    expect(question?.args).toEqual(read);
    question?.submit(undefined);
    await settledIn();
    expect(ran).toEqual([read]);
    expect(records).toMatchObject([{ args: sent }]);
  });

  it('a component that changes the arguments changes neither what runs nor the record', async () => {
    const ran: unknown[] = [];
    const tool = defineClientTool({ input, approval: 'always', execute: (args) => void ran.push(args) });
    const { waiting, records } = await pay({ pay: tool });
    const [question] = waiting();
    tamper(question?.args as Args);
    question?.submit(undefined);
    await settledIn();
    expect(ran).toEqual([read]);
    expect(records).toMatchObject([{ args: sent }]);
  });

  it('a policy that tries to change a frozen argument has failed, and the person is asked', async () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    onTestFinished(() => void vi.unstubAllGlobals());
    const ran: unknown[] = [];
    const tool = defineClientTool({
      input: z.object({ amount: z.number() }),
      approval: (args) => {
        args.amount = 1;
        return false;
      },
      execute: (args) => void ran.push(args),
    });
    const { waiting } = await pay({ pay: tool }, { amount: 8_000 });
    expect(waiting()[0]?.args).toEqual({ amount: 8_000 });
    expect(ran).toEqual([]);
    expect(report).toHaveBeenCalledTimes(1);
  });

  it('a handler may change its arguments, and the next call begins as the schema says', async () => {
    const ran: unknown[] = [];
    const tool = defineClientTool({
      input,
      execute: (args) => {
        ran.push(structuredClone(args));
        args.to.iban = 'XX9';
        args.amount = 1;
      },
    });
    await pay({ pay: tool });
    await pay({ pay: tool });
    expect(ran).toEqual([read, read]);
    expect(SHARED).toEqual({ iban: 'DE1' });
  });

  it('a component and a record of an interactive tool have the same arguments', async () => {
    const { waiting, records } = await pay({ pay: defineClientTool({ input, interactive: true }) });
    tamper(waiting()[0]?.args as Args);
    waiting()[0]?.submit('paid');
    await settledIn();
    expect(records).toMatchObject([{ args: sent, result: 'paid' }]);
  });
});

describe('the arguments of a tool without a schema', () => {
  it('a component cannot change what the handler gets and the record has', async () => {
    const ran: unknown[] = [];
    const tool = defineClientTool({ approval: 'always', execute: (args) => void ran.push(args) });
    const { waiting, records } = await pay({ pay: tool }, { to: { iban: 'DE1' } });
    const [question] = waiting();
    expect(() => Object.assign(question?.args.to as object, { iban: 'XX9' })).toThrow(TypeError);
    question?.submit(undefined);
    await settledIn();
    expect(ran).toEqual([{ to: { iban: 'DE1' } }]);
    expect(records).toMatchObject([{ args: { to: { iban: 'DE1' } } }]);
  });
});

describe('copies of arguments', () => {
  class Money {
    amount = 5;
  }
  const args = JSON.parse('{"__proto__":{"a":1},"list":[{"b":2}]}');
  Object.assign(args, { money: new Money(), when: new Date(0), of: new Map([['k', [1]]]) });

  it.each([copyArguments, freezeArguments])('%o copies all but instances of classes', (makeCopy) => {
    const made = makeCopy(args) as typeof args;
    expect(made).toEqual(args);
    expect(Object.keys(made)).toEqual(Object.keys(args));
    expect(made.money).toBe(args.money);
    for (const key of ['list', 'when', 'of']) expect(made[key]).not.toBe(args[key]);
    expect(Object.isFrozen(args.list)).toBe(false);
  });

  it('freezeArguments freezes objects and lists, also in a map, and copyArguments freezes nothing', () => {
    const frozen = freezeArguments(args) as typeof args;
    expect([frozen, frozen.list, frozen.list[0], frozen.of.get('k')].every(Object.isFrozen)).toBe(true);
    const free = copyArguments(frozen) as typeof args;
    expect([free, free.list, free.list[0], free.of.get('k')].some(Object.isFrozen)).toBe(false);
  });
});
