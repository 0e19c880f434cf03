/** The callbacks of an app: always the latest ones, and never able to break the engine. */
import { callSafely } from '../shared/report-thrown.ts';
import type { AgentChatOptions } from './agent-chat.ts';

const NAMES = [
  'onError',
  'onFinish',
  'onStop',
  'onCallSettled',
  'onResourceUpdate',
  'onNotice',
  'onUnknownEvent',
] as const;
type CallbackName = (typeof NAMES)[number];
export type Callbacks = { readonly [Name in CallbackName]: NonNullable<AgentChatOptions[Name]> };

export function createCallbacks(options: () => Pick<AgentChatOptions, CallbackName>): Callbacks {
  const call =
    (name: CallbackName) =>
    (...args: unknown[]): void =>
      callSafely(() => (options()[name] as ((...all: unknown[]) => void) | undefined)?.(...args));
  return Object.fromEntries(NAMES.map((name) => [name, call(name)])) as Callbacks;
}
