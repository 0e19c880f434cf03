import { describe, expect, it } from 'vitest';
import { createFaults, type FaultSettings } from '../../src/devtools.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { scriptedChat, settled } from '../support/scripted-chat.ts';
import { start, stopped, text } from '../support/scripted-events.ts';

function faultyChat(settings: Partial<FaultSettings>) {
  const clock = createManualClock();
  const faults = createFaults({ clock });
  faults.set(settings);
  const backend = createScriptedTransport();
  const { chat } = scriptedChat({ transport: faults.wrap(backend) });
  return { chat, backend, faults, clock };
}

const words = (chat: ReturnType<typeof faultyChat>['chat']) =>
  JSON.stringify(chat.getState().messages.at(-1)?.parts ?? []);

describe('faults', () => {
  it('change nothing while none is switched on', async () => {
    const { chat, backend } = faultyChat({});
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, ...text('t', 'Hello'), stopped);
    run.end();
    await settled();
    expect(chat.getState().status).toBe('idle');
    expect(words(chat)).toContain('Hello');
  });

  it('drop a request before it leaves, and a retry succeeds once the fault is off', async () => {
    const { chat, backend, faults } = faultyChat({ dropRequests: true });
    await chat.sendMessage('Hi');
    expect(chat.getState().error?.message).toMatch(/dropped this request/);
    expect(backend.requests).toHaveLength(0);
    faults.set({ dropRequests: false });
    void chat.retry();
    const run = await backend.request(0);
    run.send(start, ...text('t', 'Hello'), stopped);
    run.end();
    await settled();
    expect(chat.getState().status).toBe('idle');
  });

  it('drop events, as if the response were lost', async () => {
    const { chat, backend } = faultyChat({ dropEvents: true });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, ...text('t', 'Hello'));
    await settled();
    expect(words(chat)).not.toContain('Hello');
    expect(chat.getState().status).toBe('streaming');
  });

  it('delay a request by the milliseconds that were set', async () => {
    const { chat, backend, clock } = faultyChat({ delayRequestsMs: 500 });
    void chat.sendMessage('Hi');
    await settled();
    await clock.advance(499);
    expect(backend.requests).toHaveLength(0);
    await clock.advance(1);
    await settled();
    expect(backend.requests).toHaveLength(1);
  });

  it('delay events by the milliseconds that were set', async () => {
    const { chat, backend, clock } = faultyChat({ delayEventsMs: 300 });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, ...text('t', 'Hello'), stopped);
    run.end();
    await settled();
    expect(chat.getState().status).toBe('streaming');
    await clock.advance(300);
    await settled();
    expect(chat.getState().status).toBe('idle');
  });

  it('leave the other abilities of the transport as they are', () => {
    const transport = createScriptedTransport({ open: true });
    const wrapped = createFaults().wrap(transport);
    expect(wrapped.capabilities).toBe(transport.capabilities);
    expect(Object.keys(wrapped).sort()).toEqual(['capabilities', 'open', 'run', 'stop']);
  });
});
