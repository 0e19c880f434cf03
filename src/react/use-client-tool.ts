'use client';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { useEffect, useInsertionEffect, useState } from 'react';
import type { ClientTool, ClientToolHandler } from '../core/tools/client-tool.ts';
import type { ToolRegistration } from '../core/tools/tool-registry.ts';
import type { AutomaticToolOptions, InteractiveToolOptions } from '../core/tools/typed-tools.ts';
import { useProvidedChat } from './agent-chat-provider.tsx';
import { warnOfReplacedTool } from './developer-warnings.ts';

/** Options of {@link useClientTool}. */
export interface UseClientToolOptions {
  /** Default `true`. With `false` the tool is not registered, as if the component were not there. */
  readonly enabled?: boolean;
}

/**
 * Registers a tool at the chat of the nearest `AgentChatProvider` while the component is mounted. The tool may be written inline: what the
 * latest render gave counts, and its handler sees the latest props and state.
 *
 * - A call whose tool is not registered at that moment waits `registrationGraceMs` of the chat (default 1,000), then the agent gets an error.
 * - A handler that runs when the component unmounts runs to its end.
 * - A call that waits for a person goes on waiting when the component unmounts. The next component that registers the name asks it anew.
 * - Of two components with the same name the one that mounted last wins; the component wins over `clientTools`. Both warn in development.
 *
 * @throws Error when there is no `AgentChatProvider`, and `AgentChatError` `invalid_options` for a tool that the engine could not use.
 *
 * @example
 * ```tsx
 * useClientTool('select-row', {
 *   description: 'Select a row of the table',
 *   input: z.object({ id: z.string() }),
 *   execute: ({ id }) => setSelected(id),
 * });
 * ```
 */
export function useClientTool<
  const Input extends StandardSchemaV1 | undefined = undefined,
  const Output extends StandardSchemaV1 | undefined = undefined,
>(name: string, tool: AutomaticToolOptions<Input, Output>, options?: UseClientToolOptions): void;
export function useClientTool<
  const Input extends StandardSchemaV1 | undefined = undefined,
  const Output extends StandardSchemaV1 | undefined = undefined,
>(name: string, tool: InteractiveToolOptions<Input, Output>, options?: UseClientToolOptions): void;
export function useClientTool(
  name: string,
  tool: ClientToolHandler | 'interactive',
  options?: UseClientToolOptions,
): void;
export function useClientTool(
  name: string,
  tool: unknown,
  { enabled = true }: UseClientToolOptions = {},
): void {
  const chat = useProvidedChat();
  const [latest] = useState<Latest>(() => ({ tool: tool as ClientTool }));
  useInsertionEffect(() => {
    latest.tool = tool as ClientTool;
    latest.registration?.update(latest.tool);
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const registration = chat.registerTool(name, latest.tool);
    latest.registration = registration;
    if (process.env.NODE_ENV !== 'production') warnOfReplacedTool(chat, name, registration.replaces);
    return () => {
      latest.registration = undefined;
      registration.unregister();
    };
  }, [chat, name, enabled, latest]);
}

interface Latest {
  tool: ClientTool;
  registration?: ToolRegistration | undefined;
}
