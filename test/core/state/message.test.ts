import { describe, expect, it } from 'vitest';
import { uiMessageSchema } from '../../../src/core.ts';

const at = new Date('2026-01-01T00:00:00Z');
const message = { id: 'm', role: 'assistant', parts: [], status: 'done', createdAt: at };

describe('uiMessageSchema', () => {
  it.each([
    ['a date', at],
    ['an ISO string', at.toISOString()],
    ['milliseconds', at.getTime()],
  ])('uiMessageSchema accepts %s as the time', (_, createdAt) => {
    expect(uiMessageSchema.parse({ ...message, createdAt })).toEqual(message);
  });

  it('uiMessageSchema drops unknown keys', () => {
    expect(uiMessageSchema.parse({ ...message, more: 1 })).toEqual(message);
  });

  it('uiMessageSchema keeps all that a call says of its arguments, its progress and its delivery', () => {
    const part = callWith({
      args: { amount: 45 },
      originalArgs: { amount: 89 },
      inputSchema: { type: 'object' },
      progress: { done: 1, total: 2, text: 'One of two' },
      delivery: 'not-sent',
    });
    expect(uiMessageSchema.parse({ ...message, parts: [part] }).parts).toEqual([part]);
  });

  it.each([
    ['null', null],
    ['a message without a time', { ...message, createdAt: null }],
    ['an invalid time', { ...message, createdAt: 'yesterday' }],
    ['a boolean as the time', { ...message, createdAt: true }],
    ['another role', { ...message, role: 'system' }],
    ['another status', { ...message, status: 'pending' }],
    ['an unknown part', { ...message, parts: [{ type: 'poll' }] }],
    ['arguments that are no object', { ...message, parts: [callWith({ args: 'x' })] }],
    ['original arguments that are no object', { ...message, parts: [callWith({ originalArgs: 'x' })] }],
    ['an unknown word for the delivery', { ...message, parts: [callWith({ delivery: 'lost' })] }],
    ['an unknown outcome', { ...message, parts: [callWith({ outcome: 'exploded' })] }],
  ])('uiMessageSchema refuses %s', (_, value) => {
    expect(uiMessageSchema.safeParse(value).success).toBe(false);
  });
});

function callWith(more: object) {
  return { type: 'tool-call', toolCallId: 'c', toolName: 'find', args: {}, status: 'done', ...more };
}
