import { describe, expect, test } from 'vitest';
import { checkPayload } from '../../../src/backends/utp/check-payload.ts';
import { createWakeupHeaders, readIdentity } from '../../../src/backends/utp/headers.ts';
import { formatSubject, parseSubject, type Subject } from '../../../src/backends/utp/subject.ts';
import { createChildSpan } from '../../../src/backends/utp/traceparent.ts';

const subject: Subject = {
  projectId: 'p1',
  channelId: 'public',
  category: 'cmd',
  component: 'tool',
  target: 'hitl',
  suffix: 'call',
};

const headers = {
  'CG-Project-Id': 'p1',
  'CG-Channel-Id': 'public',
  'CG-Agent-Id': 'agent1',
  'CG-Turn-Id': 'turn1',
  'CG-Turn-Epoch': '7',
  'CG-Step-Id': 'step1',
  'CG-Tool-Call-Id': 'call1',
  'CG-Recursion-Depth': '3',
  traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
};

describe('a subject', () => {
  test('has eight tokens, and its suffix may have dots', () => {
    expect(parseSubject('cg.v1r4.p1.u_42.cmd.tool.hitl.call.now')).toEqual({
      ...subject,
      channelId: 'u_42',
      suffix: 'call.now',
    });
  });

  test.each([
    'cg.v1r4.p1.public.cmd.tool.hitl',
    'xx.v1r4.p1.public.cmd.tool.hitl.call',
    'cg.v1r3.p1.public.cmd.tool.hitl.call',
    'cg.v1r4.p1.public.cmd..hitl.call',
    'cg.v1r4.p1.public.cmd.tool.hitl.call.',
    '',
  ])('is not read from "%s"', (text) => {
    expect(parseSubject(text)).toBeUndefined();
  });

  test('is written as it is read', () => {
    expect(parseSubject(formatSubject(subject))).toEqual(subject);
  });

  test.each(['a.b', '*', '>', 'a b', ''])('is not written with the target "%s"', (target) => {
    expect(() => formatSubject({ ...subject, target })).toThrow('cannot be a token');
  });
});

describe('the headers of a command', () => {
  test('give the identity of the call', () => {
    expect(readIdentity(headers, subject)).toEqual({
      projectId: 'p1',
      channelId: 'public',
      toolCallId: 'call1',
      agentId: 'agent1',
      agentTurnId: 'turn1',
      turnEpoch: 7,
      recursionDepth: 3,
      traceparent: headers.traceparent,
      stepId: 'step1',
    });
  });

  test.each([
    ['CG-Agent-Id', undefined, 'CG-Agent-Id is missing'],
    ['CG-Tool-Call-Id', '  ', 'CG-Tool-Call-Id is missing'],
    ['CG-Turn-Id', undefined, 'CG-Turn-Id is missing'],
    ['CG-Project-Id', 'p2', 'CG-Project-Id is "p2", but the subject says "p1"'],
    ['CG-Channel-Id', 'u_1', 'CG-Channel-Id is "u_1", but the subject says "public"'],
    ['CG-Turn-Epoch', 'seven', 'CG-Turn-Epoch is "seven", not an integer'],
    ['CG-Recursion-Depth', '-1', 'CG-Recursion-Depth is "-1", not an integer'],
    ['CG-Recursion-Depth', '1.5', 'CG-Recursion-Depth is "1.5", not an integer'],
    ['CG-Recursion-Depth', '20', 'CG-Recursion-Depth is 20, and the limit is 20'],
  ])('are refused when %s is %s', (name, value, complaint) => {
    const { [name as keyof typeof headers]: _, ...others } = headers;
    const changed = value === undefined ? others : { ...others, [name]: value };
    expect(() => readIdentity(changed, subject)).toThrow(complaint);
  });

  test('need neither project, channel nor depth, because the subject and the protocol say them', () => {
    const { 'CG-Project-Id': _p, 'CG-Channel-Id': _c, 'CG-Recursion-Depth': _d, ...others } = headers;
    expect(readIdentity(others, subject)).toMatchObject({
      projectId: 'p1',
      channelId: 'public',
      recursionDepth: 0,
    });
  });

  test('of a wakeup name the agent and its turn, and nothing of the call', () => {
    const identity = readIdentity(headers, subject);
    const fields = { traceparent: headers.traceparent, sender: 'tool.hitl', now: 5 };
    expect(createWakeupHeaders(identity, fields)).toEqual({
      'CG-Project-Id': 'p1',
      'CG-Channel-Id': 'public',
      'CG-Agent-Id': 'agent1',
      'CG-Turn-Id': 'turn1',
      'CG-Turn-Epoch': '7',
      'CG-Timestamp': '5',
      'CG-Version': 'v1r4',
      'CG-Msg-Type': 'Wakeup',
      'CG-Sender': 'tool.hitl',
      traceparent: headers.traceparent,
    });
  });
});

describe('a trace', () => {
  test('goes on with a child span: the same trace id, another span id', () => {
    const child = createChildSpan(headers.traceparent);
    expect(child).toMatch(new RegExp(`^00-${'ab'.repeat(16)}-[0-9a-f]{16}-01$`));
    expect(child).not.toBe(headers.traceparent);
  });

  test.each([
    ['00', '00'],
    ['01', '01'],
    ['02', '00'],
    ['ff', '01'],
  ])('whose parent has the flags %s goes on with %s: it is recorded if the parent is', (flags, own) => {
    const child = createChildSpan(`00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-${flags}`);
    expect(child).toMatch(new RegExp(`^00-${'ab'.repeat(16)}-[0-9a-f]{16}-${own}$`));
  });

  test.each([
    undefined,
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${'cd'.repeat(8)}-01`,
    `00-${'ab'.repeat(16)}-${'0'.repeat(16)}-00`,
    `ff-${'ab'.repeat(16)}-${'cd'.repeat(8)}-00`,
  ])('begins anew after the traceparent %s', (parent) => {
    const span = createChildSpan(parent);
    expect(span).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(span).not.toContain('0'.repeat(32));
    expect(span).not.toContain('ab'.repeat(16));
    expect(createChildSpan(parent)).not.toBe(span);
  });
});

describe('the payload of a command', () => {
  test('names the card, the tool and what happens afterwards', () => {
    const payload = { tool_call_card_id: 'card1', tool_name: 'confirm', after_execution: 'terminate' };
    expect(checkPayload(JSON.stringify(payload))).toEqual({
      toolCallCardId: 'card1',
      toolName: 'confirm',
      afterExecution: 'terminate',
    });
  });

  test('counts blank strings and null as absent', () => {
    expect(checkPayload('{"tool_call_card_id":" ","tool_name":"","after_execution":null}')).toEqual({});
  });

  test('may have keys of a later version, which are ignored', () => {
    expect(checkPayload('{"tool_call_card_id":"card1","priority":1,"args":{"a":1}}')).toEqual({
      toolCallCardId: 'card1',
    });
  });

  test.each([
    'project_id',
    'channel_id',
    'channel',
    'agent_id',
    'agent_turn_id',
    'turn_epoch',
    'step_id',
    'tool_call_id',
    'trace_id',
    'traceparent',
    'tracestate',
    'parent_agent_id',
    'parent_agent_turn_id',
    'parent_step_id',
    'parent_traceparent',
    'recursion_depth',
  ])('may not have the control field %s', (name) => {
    const text = JSON.stringify({ tool_call_card_id: 'card1', [name]: null });
    expect(() => checkPayload(text)).toThrow(expect.objectContaining({ code: 'bad_request' }));
    expect(() => checkPayload(text)).toThrow(name);
  });

  test.each([
    ['no JSON', '{'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a tool name that is a number', '{"tool_name":1}'],
    ['another after_execution', '{"after_execution":"later"}'],
  ])('is refused if it is or has %s', (_, text) => {
    expect(() => checkPayload(text)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });
});
