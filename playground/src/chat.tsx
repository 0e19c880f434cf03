import {
  AgentChatProvider,
  type AgentTransport,
  createPersistence,
  createWebStorage,
  useAgentChat,
} from 'handrail';
import {
  ClientToolDialogs,
  Composer,
  ConnectionStatus,
  Notices,
  type Slots,
  Transcript,
} from 'handrail/components';
import { MarkdownText } from 'handrail/markdown';
import { useEffect, useRef } from 'react';
import { clientTools } from './client-tools.ts';
import { choices, Policies, trail } from './policies.tsx';
import { requestUploadUrls } from './request-upload-urls.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Questions } from './settings.ts';
import { ToolCall } from './tool-call.tsx';

const storage = createWebStorage(() => sessionStorage);
/** The server has the same limit. */
const ATTACHMENTS = { maxBytes: 10_000_000, maxFiles: 5 };
/** The page has one heading above its cards. */
const cardParts: Slots = { title: { render: (props) => <h2 {...props} /> } };
const slots = { text: MarkdownText, 'tool-call': ToolCall };

/** One conversation. It outlives a reload, with the question that was open; a new tab begins a new one. */
export function Chat({
  id,
  transport,
  questions,
  takesFiles,
}: {
  id: string;
  transport: AgentTransport;
  questions: Questions;
  takesFiles: boolean;
}) {
  const chat = useAgentChat({
    id,
    transport,
    clientTools,
    persistence: createPersistence({ storage }),
    requestUploadUrls,
    rememberedChoices: choices,
    onCallSettled: trail.record,
  });
  const { status, messages } = chat;
  const isWaiting = status === 'awaiting-input';
  const inputRef = useRef<HTMLTextAreaElement>(null);
  // Whoever comes to the page, or back to a question that was open, finds the focus here and gets it back here.
  useEffect(() => {
    if (document.activeElement === document.body) inputRef.current?.focus();
  }, []);
  const suggest = (message: string) => {
    void chat.sendMessage(message);
    inputRef.current?.focus();
  };

  return (
    <AgentChatProvider chat={chat}>
      <main className="chat" data-status={status} data-empty={messages.length === 0 || undefined}>
        <h1 className="visually-hidden">handrail playground</h1>
        <Transcript renderers={slots} empty={<Welcome />}>
          <Notices />
          {questions === 'inline' && <ClientToolDialogs mode="inline" slots={cardParts} />}
        </Transcript>
        <div className="dock">
          <ul className="suggestions" aria-label="Things to try">
            {SCENARIOS.map(({ label, hint, message }) => (
              <li key={label}>
                {/* A list that scrolls is reached by what is in it, so its buttons stay tab stops. */}
                <button
                  type="button"
                  aria-disabled={isWaiting}
                  onClick={() => !isWaiting && suggest(message)}
                >
                  {label} <span>{hint}</span>
                </button>
              </li>
            ))}
          </ul>
          <Composer inputRef={inputRef} attachments={takesFiles && ATTACHMENTS} />
          <ConnectionStatus className="connection" />
          <Policies />
        </div>
        {questions === 'dialog' && <ClientToolDialogs />}
      </main>
    </AgentChatProvider>
  );
}

function Welcome() {
  return (
    <div className="welcome">
      <h2>An agent that asks before it acts</h2>
      <p>
        The agent runs on the server. Some of its tools run here, in your browser, and some wait for you. Pick
        something to try, then cut the connection in the middle of it.
      </p>
    </div>
  );
}
