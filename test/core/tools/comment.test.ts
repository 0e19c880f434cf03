import { describe, expect, it } from 'vitest';
import { encodeNativeCommand } from '../../../src/core/protocol/native-encode.ts';
import { createAuditTrail, defineClientTool, type ToolCallPart } from '../../../src/core.ts';
import { answersOf, asked, payTool, settledIn } from '../../support/asked-calls.ts';
import { call } from '../../support/scripted-events.ts';

const interactive = { ask: defineClientTool({ interactive: true }) };

describe('a comment with a yes', () => {
  it.each([
    ['an interactive tool', interactive, 'ask'],
    ['a tool with a handler', payTool('always').tools, 'pay'],
  ])('of %s is on the wire, on the part and in the audit trail', async (_, tools, name) => {
    const trail = createAuditTrail();
    const page = await asked(tools, [call('1', name)], { onCallSettled: (one) => void trail.record(one) });
    page.waiting()[0]?.submit(undefined, { reason: 'only this once' });
    await settledIn();
    const [respond] = page.backend.commands.filter(({ type }) => type === 'respond');
    expect(respond && encodeNativeCommand(respond)).toMatchObject({
      toolResults: [{ toolCallId: '1', outcome: 'submitted', reason: 'only this once' }],
    });
    const parts = page.chat.getState().messages.flatMap(({ parts: each }) => each) as ToolCallPart[];
    expect(parts.find(({ toolCallId }) => toolCallId === '1')).toMatchObject({ reason: 'only this once' });
    expect(trail.getEntries()).toMatchObject([{ outcome: 'submitted', reason: 'only this once' }]);
  });

  it.each(['', '  ', '\u200b\u2060', undefined])('that is blank (%j) counts as none', async (reason) => {
    const page = await asked(interactive, [call('1', 'ask')]);
    page.waiting()[0]?.submit('x', reason === undefined ? {} : { reason });
    await settledIn();
    const [respond] = page.backend.commands.filter(({ type }) => type === 'respond');
    expect(respond).toMatchObject({ answers: [{ outcome: 'submitted', result: 'x' }] });
    expect(JSON.stringify(respond)).not.toContain('reason');
  });
});

describe('a tool that wants a reason for a no', () => {
  const tools = () => ({
    pay: payTool('always', { reason: 'required' }).tools.pay,
    ask: defineClientTool({ interactive: true, reason: 'required' }),
  });

  it.each(['pay', 'ask'])('does not take a no of %s without one, and the call still waits', async (name) => {
    const page = await asked(tools(), [call('1', name)]);
    for (const reason of [undefined, '', ' \n', '\u200b', '\u3164\u2800', '\u2060\u00ad'])
      expect(page.waiting()[0]?.decline(reason)).toMatchObject({
        settled: false,
        reason: 'invalid-result',
        issues: [{ message: expect.stringContaining('needs a reason') }],
      });
    expect(page.waiting()).toHaveLength(1);
    expect(page.waiting()[0]?.decline('Wrong address')).toEqual({ settled: true });
    await settledIn();
    expect(answersOf(page.backend.commands)).toMatchObject([
      { outcome: 'declined', result: { reason: 'Wrong address' } },
    ]);
  });

  it('does not take a no as the value of a dialog without one', async () => {
    const page = await asked(tools(), [call('1', 'pay')]);
    for (const reason of [undefined, '\u200b'])
      expect(page.waiting()[0]?.submit({ confirmed: false, reason })).toMatchObject({
        reason: 'invalid-result',
      });
    expect(page.waiting()[0]?.submit({ confirmed: false, reason: 'No' })).toEqual({ settled: true });
  });

  it('lets the person leave the question without one', async () => {
    const page = await asked(tools(), [call('1', 'ask')]);
    expect(page.waiting()[0]?.cancel()).toEqual({ settled: true });
  });

  it('refuses any other word in its definition', () => {
    expect(() => defineClientTool({ interactive: true, reason: 'requird' } as never)).toThrow(
      `reason of a client tool must be 'required', not "requird"`,
    );
  });
});
