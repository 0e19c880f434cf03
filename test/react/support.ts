/** A backend and a clock for tests of hooks, whose actions run inside `act()`. */
import { act } from '@testing-library/react';
import type { AgentEvent } from '../../src/core/protocol/events.ts';
import type { AgentChatOptions } from '../../src/core.ts';
import { createManualClock, type ManualClock } from '../../src/testing/manual-clock.ts';
import { createScriptedTransport, type ScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { settled } from '../support/scripted-chat.ts';

export interface Backstage {
  readonly backend: ScriptedTransport;
  readonly clock: ManualClock;
  /** The options of `useAgentChat`: always the same object. */
  readonly options: AgentChatOptions;
  /** Sends events in answer to a request and lets the page show them. */
  say(request: number, ...events: AgentEvent[]): Promise<void>;
}

export function createBackstage(more: Partial<AgentChatOptions> = {}): Backstage {
  const backend = createScriptedTransport();
  const clock = createManualClock();
  let ids = 0;
  return {
    backend,
    clock,
    options: { transport: backend, clock, createId: () => `id-${++ids}`, ...more },
    say: (index, ...events) =>
      act(async () => {
        (await backend.request(index)).send(...events);
        await settled();
        clock.frame();
      }),
  };
}

/** Settles promises, passes one frame, and renders the result. */
export function passFrame({ clock }: Backstage): Promise<void> {
  return act(async () => {
    await settled();
    clock.frame();
  });
}
