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
type Callback<Name extends CallbackName> = NonNullable<AgentChatOptions[Name]>;

/** Calls the app's callback of that name, if it has one. */
export type Tell = <Name extends CallbackName>(name: Name, ...args: Parameters<Callback<Name>>) => void;

export function createTell(options: () => Pick<AgentChatOptions, CallbackName>): Tell {
  return (name, ...args) =>
    callSafely(() => (options()[name] as ((...all: unknown[]) => void) | undefined)?.(...args));
}
