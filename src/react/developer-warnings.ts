/**
 * Warnings for the developer of an app. Some mistakes reach only the agent, as the error of a tool, or only people, in words that name
 * no cause: the console names the mistake and the fix. The code of a production build has none of this.
 */
import { useEffect } from 'react';
import type { AgentChat, AgentChatOptions } from '../core/chat/agent-chat.ts';
import type { ClientTools } from '../core/tools/client-tool.ts';
import type { SettledCall } from '../core/tools/settled-call.ts';
import type { ToolRegistration } from '../core/tools/tool-registry.ts';
import { systemClock } from '../shared/clock.ts';
import type { AgentChatError } from '../shared/errors.ts';
import { warnOnce } from '../shared/warn-once.ts';
import { explainUnreachable } from './explain-unreachable.ts';
import { watchPlaces } from './question-places.ts';
import { warnOfForeignEvent } from './warn-of-protocol.ts';
import { watchSameId } from './warn-of-same-id.ts';

/** Codes of `handrail/server` for mistakes of the app's own server, whose message names the fix. */
const SERVER_MISTAKES = ['invalid_agent_output', 'unknown_execution'];
/** Chats that were given another transport. */
const warnedChats = new WeakSet<object>();

/** Adds warnings to the callbacks of a chat. */
export function withDeveloperWarnings<
  Options extends Pick<AgentChatOptions, 'onCallSettled' | 'onError' | 'onUnknownEvent'>,
>(options: Options): Options {
  return {
    ...options,
    onCallSettled(call: SettledCall) {
      if (call.outcome === 'failed' && call.answeredBy !== 'person') warnOnce(describeFailedCall(call));
      options.onCallSettled?.(call);
    },
    onError(error: AgentChatError) {
      if (error.status === 404 || error.status === 405) warnOnce(describeMissingRoute(error));
      if (SERVER_MISTAKES.includes(error.backendCode ?? ''))
        warnOnce(`The agent's server failed: ${error.message}`);
      if (error.code === 'connection_failed') void explainUnreachable(error.cause);
      options.onError?.(error);
    },
    onUnknownEvent(event: unknown) {
      warnOfForeignEvent(event);
      options.onUnknownEvent?.(event);
    },
  };
}

/** Watches a mounted chat that the hook made for mistakes that no callback tells of. */
export function useMistakeWatch<Tools extends ClientTools>(
  chat: AgentChat<Tools>,
  {
    id,
    clock = systemClock,
    chat: given,
  }: Pick<AgentChatOptions, 'id' | 'clock'> & { readonly chat?: unknown },
): void {
  const isOwn = given === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chat keeps its clock, and another id is another chat
  useEffect(() => {
    if (!isOwn) return undefined;
    const ends = [watchPlaces(chat, clock), ...(id === undefined ? [] : [watchSameId(id, chat)])];
    return () => {
      for (const end of ends) end();
    };
  }, [chat, isOwn]);
}

/** A transport written inline is a new object in each render, and taking it over would drop the conversation. */
export function warnOfNewTransport(
  chat: object,
  before: Pick<AgentChatOptions, 'transport'>,
  now: Pick<AgentChatOptions, 'transport' | 'id'>,
): void {
  if (before.transport === now.transport || now.id !== undefined) return;
  if (warnedChats.has(chat)) return;
  warnedChats.add(chat);
  console.warn(
    'useAgentChat got another transport in a later render and keeps the first one. Create the transport outside ' +
      'of the component or with useMemo; to change it, change options.id with it. If it was a hot update that made ' +
      'it anew, reload the page.',
  );
}

/** Tools of components that took the place of others, by chat. */
const warnedNames = new WeakMap<object, Set<string>>();

/** Two tools under one name: the one that is not used would be looked for in vain. */
export function warnOfReplacedTool(chat: object, name: string, replaced: ToolRegistration['replaces']): void {
  if (replaced === undefined) return;
  const names = warnedNames.get(chat) ?? new Set();
  warnedNames.set(chat, names);
  const text =
    replaced === 'declared'
      ? `useClientTool('${name}') takes the place of the tool of this name in clientTools while its component is mounted. Give one of them another name.`
      : `Two mounted components call useClientTool('${name}'), and the one that mounted last is used. Give one of them another name, or { enabled: false }.`;
  if (names.has(text)) return;
  names.add(text);
  console.warn(text);
}

function describeFailedCall({ toolName, error = '' }: SettledCall): string {
  const fix = /client handler/.test(error)
    ? `Declare it: clientTools: { ${toolName}: async (args) => … }, or ${toolName}: 'interactive' for a person.`
    : 'If that is a mistake, look at its handler and its schemas.';
  return `The tool "${toolName}" failed, and the agent was told so: ${error}. ${fix}`;
}

function describeMissingRoute({ status, cause }: AgentChatError): string {
  const address = cause instanceof Response && cause.url ? cause.url : "The agent's server";
  return `${address} answered ${status}. Check the url of the transport, and that the route takes POST requests.`;
}
