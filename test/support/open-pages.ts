/** Pages of people who have the same conversation open. */
import { expect, onTestFinished } from 'vitest';
import type { SettledCall } from '../../src/core/tools/settled-call.ts';
import type { AgentChat, AgentChatOptions, InteractiveTool } from '../../src/core.ts';
import type { Principal } from '../../src/shared/principal.ts';
import type { Carrier, Device, SharedSession } from './shared-session.ts';

export const ADA: Principal = { id: 'ada', name: 'Ada' };
const BOB: Principal = { id: 'bob', name: 'Bob' };
export const YES = { confirmed: true };
export const CARRIERS: readonly Carrier[] = ['http', 'socket'];

export interface Page extends Device {
  readonly settled: SettledCall[];
}

export function openPage(
  shared: SharedSession,
  principal: Principal | undefined,
  carrier: Carrier,
  options: Partial<AgentChatOptions> = {},
): Page {
  const settled: SettledCall[] = [];
  const more = { openOnStart: true, onCallSettled: (call: SettledCall) => settled.push(call), ...options };
  const device = shared.device(principal, more, carrier);
  device.chat.subscribe(() => {});
  onTestFinished(() => device.chat.destroy());
  return { ...device, settled };
}

export function callParts(chat: AgentChat) {
  return chat.getState().messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'));
}

export function lastText(chat: AgentChat): string {
  const parts = chat.getState().messages.at(-1)?.parts ?? [];
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** What the pages show, for the message of a test that failed. */
function describePages(...pages: Page[]): string {
  const toShown = ({ chat, sent, notified, settled }: Page) => {
    const { status, error } = chat.getState();
    return {
      status,
      error: error?.backendCode ?? error?.code,
      sent,
      notified,
      text: lastText(chat),
      settled: settled.map(({ outcome }) => outcome),
    };
  };
  return JSON.stringify(pages.map(toShown));
}

export function firstCall({ chat }: Page): InteractiveTool {
  const [call] = chat.getState().pendingCalls;
  if (call === undefined) throw new Error('no call waits');
  return call;
}

/** Lets promises, streams and sockets go on until each of the pages is as it should be. */
export async function untilAll(passes: (page: Page) => boolean, ...pages: Page[]): Promise<void> {
  for (let turn = 0; turn < 20_000 && !pages.every(passes); turn += 1)
    await new Promise((next) => setImmediate(next));
  expect(pages.every(passes), describePages(...pages)).toBe(true);
}

export const isAsked = ({ chat }: Page) => chat.getState().status === 'awaiting-input';
export const isAtRest = ({ chat }: Page) => ['idle', 'error'].includes(chat.getState().status);

/** The pages of Ada and Bob, who are both asked. */
export async function askTwo(
  shared: SharedSession,
  carrier: Carrier,
  options?: Partial<AgentChatOptions>,
  people: readonly (Principal | undefined)[] = [ADA, BOB],
) {
  const [ada, bob] = people.map((person) => openPage(shared, person, carrier, options)) as [Page, Page];
  await untilAll(isAtRest, ada, bob);
  void ada.chat.sendMessage('hello');
  await untilAll(isAsked, ada, bob);
  return { ada, bob };
}
