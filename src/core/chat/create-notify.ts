import { callSafely } from '../../shared/report-thrown.ts';
import type { AgentChatOptions } from './agent-chat.ts';

type CallbackName =
  | 'onError'
  | 'onFinish'
  | 'onStart'
  | 'onStop'
  | 'onCallSettled'
  | 'onResourceUpdate'
  | 'onNotice'
  | 'onUnknownEvent';
type Callback<Name extends CallbackName> = NonNullable<AgentChatOptions[Name]>;

/** Calls the app's callback of that name, if there is one. An error in it is reported and does not reach the engine. */
export type Notify = <Name extends CallbackName>(name: Name, ...args: Parameters<Callback<Name>>) => void;

/** @param options the options as they are right now: React apps write new callbacks in each render */
export function createNotify(options: () => Pick<AgentChatOptions, CallbackName>): Notify {
  return (name, ...args) =>
    callSafely(() => (options()[name] as ((...all: unknown[]) => void) | undefined)?.(...args));
}
