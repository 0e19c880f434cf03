import { AgentChatProvider, useAgentChat } from 'handrail';
import { ClientToolDialogsOf, confirmation, Transcript } from 'handrail/components';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createLiveTransport } from './live-agent.ts';

const KINDS = [confirmation];

export function Live() {
  const [round, setRound] = useState(1);
  return <Conversation key={round} round={round} onAgain={() => setRound(round + 1)} />;
}

function Conversation({ round, onAgain }: { round: number; onAgain: () => void }) {
  const chat = useAgentChat({ id: `live-${round}`, transport: useMemo(createLiveTransport, []) });
  const { sendMessage, status, messages } = chat;
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    void sendMessage('The lamp of order 4711 flickers. Please pay the customer back.');
  }, [sendMessage]);
  const isOver = status === 'idle' && messages.length > 1;
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The dialog had the focus, and there was nothing that it could give it back to.
    if (isOver && document.hasFocus()) again.current?.focus();
  }, [isOver]);

  return (
    <AgentChatProvider chat={chat} agentName="Shop assistant">
      <main className="live">
        <Transcript />
        <p className="live-foot">
          {isOver && (
            <button ref={again} type="button" onClick={onAgain}>
              Ask me again
            </button>
          )}
        </p>
      </main>
      <ClientToolDialogsOf kinds={KINDS} />
    </AgentChatProvider>
  );
}
