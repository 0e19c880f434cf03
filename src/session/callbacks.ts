/** The callbacks of an app: always the latest ones, and never able to break the engine. */
import { callSafely } from '../shared/report-thrown.ts';
import type { AgentChatOptions } from './agent-chat.ts';

type CallbackName =
  | 'onError'
  | 'onFinish'
  | 'onStop'
  | 'onCallSettled'
  | 'onResourceUpdate'
  | 'onNotice'
  | 'onUnknownEvent';
export type Callbacks = { readonly [Name in CallbackName]: NonNullable<AgentChatOptions[Name]> };

export function createCallbacks(options: () => Pick<AgentChatOptions, CallbackName>): Callbacks {
  const call =
    <Name extends CallbackName>(name: Name) =>
    (...args: Parameters<NonNullable<AgentChatOptions[Name]>>): void =>
      callSafely(() => (options()[name] as ((...all: typeof args) => void) | undefined)?.(...args));
  return {
    onError: call('onError'),
    onFinish: call('onFinish'),
    onStop: call('onStop'),
    onCallSettled: call('onCallSettled'),
    onResourceUpdate: call('onResourceUpdate'),
    onNotice: call('onNotice'),
    onUnknownEvent: call('onUnknownEvent'),
  };
}
