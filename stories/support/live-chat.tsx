import { useEffect, useState } from 'react';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { Composer } from '../../src/components/composer/composer.tsx';
import { Transcript } from '../../src/components/transcript/transcript.tsx';
import { createAgentChat } from '../../src/core/chat/create-agent-chat.ts';
import type { ClientTool } from '../../src/core/tools/client-tool.ts';
import { AgentChatProvider } from '../../src/react/agent-chat-provider.tsx';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { awaitingAnswers, call, request, start, stopped } from '../../test/support/scripted-events.ts';

export interface LiveChatProps {
  /** The tool that the agent calls, with the arguments of an order. */
  readonly tool: ClientTool;
  readonly mode: 'modal' | 'inline';
  /** The agent continues without waiting for the answer. Default `false`. */
  readonly goesOn?: boolean;
}

/** The real engine with an agent that makes one call, so that an answer has its real outcome. */
export function LiveChat({ tool, mode, goesOn = false }: LiveChatProps) {
  const [{ transport, chat }] = useState(() => {
    const scripted = createScriptedTransport({ results: goesOn ? 'one-by-one' : 'together' });
    return {
      transport: scripted,
      chat: createAgentChat({ transport: scripted, clientTools: { 'place-order': tool } }),
    };
  });
  useEffect(() => {
    if (chat.getState().messages.length > 0) return;
    void chat.sendMessage('Two flat whites, please').catch(() => {});
    void transport.request(0).then((run) => {
      const args = { title: 'Place order', description: 'Two flat whites.', total: '€ 7.60' };
      run.send(start, request(call('call-1', 'place-order', args)), goesOn ? stopped : awaitingAnswers);
      run.end();
    });
  }, [chat, transport, goesOn]);
  return (
    <AgentChatProvider chat={chat}>
      <div className="story-chat">
        <Transcript>{mode === 'inline' && <ClientToolDialogs mode="inline" />}</Transcript>
        {mode === 'modal' && <ClientToolDialogs />}
        <Composer whilePending="cancel" />
      </div>
    </AgentChatProvider>
  );
}
