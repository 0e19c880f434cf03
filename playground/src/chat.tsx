import {
  AgentChatProvider,
  type AgentTransport,
  createPersistence,
  createWebStorage,
  useAgentChat,
} from 'handrail';
import { ClientToolDialogs, Composer, Notices, type Slots, Transcript } from 'handrail/components';
import { type Faults, HandrailDevtools } from 'handrail/devtools';
import { MarkdownText } from 'handrail/markdown';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Attention } from './attention.tsx';
import { selectClientTools } from './client-tools.ts';
import { Inbox } from './inbox.tsx';
import { choices, Policies, trail } from './policies.tsx';
import { requestUploadUrls } from './request-upload-urls.ts';
import { selectScenarios } from './scenarios.ts';
import type { Questions, User } from './settings.ts';
import { recallInTab } from './tab-memory.ts';
import { ToolCall } from './tool-call.tsx';
import type { BackendInfo } from './use-backends.ts';

const storage = createWebStorage(() => sessionStorage);
/** The storage's key of a conversation. */
const toKey = (id: string) => `playground:${id}`;
/** The server has the same limit. */
const ATTACHMENTS = { maxBytes: 10_000_000, maxFiles: 5 };
/** The page has one heading above its cards. */
const cardParts: Slots = { title: { render: (props) => <h2 {...props} /> } };
const slots = { text: MarkdownText, 'tool-call': ToolCall };

/** One conversation. It outlives a reload, with the question that was open; a new tab begins a new one. */
export function Chat({
  id,
  transport,
  faults,
  questions,
  backend,
  user,
}: {
  id: string;
  transport: AgentTransport;
  faults: Faults;
  questions: Questions;
  backend: BackendInfo;
  user: User;
}) {
  const chat = useAgentChat({
    id,
    transport,
    clientTools: useMemo(() => selectClientTools(backend), [backend]),
    persistence: createPersistence({ storage, key: toKey(id) }),
    // Another device may have gone on with it.
    openOnStart: backend.isOwnServer === true,
    requestUploadUrls,
    rememberedChoices: choices,
    onCallSettled: trail.record,
  });
  const { status, messages } = chat;
  const isWaiting = status === 'awaiting-input';
  // A kept conversation appears a moment after the page. Until then the page must not look as if there were none.
  const [isKept] = useState(() => recallInTab(toKey(id)) !== null);
  const isEmpty = messages.length === 0 && !isKept;
  const [pane, setPane] = useState<HTMLElement | null>(null);
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
      <main ref={setPane} className="chat" data-status={status} data-empty={isEmpty || undefined}>
        <h1 className="visually-hidden">handrail playground</h1>
        <Transcript renderers={slots} empty={isEmpty && <Welcome />}>
          <Notices />
          {questions === 'inline' && <ClientToolDialogs mode="inline" slots={cardParts} />}
        </Transcript>
        <div className="dock">
          <ul className="suggestions" aria-label="Things to try">
            {selectScenarios(backend).map(({ label, hint, message }) => (
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
          <Composer inputRef={inputRef} attachments={backend.takesFiles === true && ATTACHMENTS} />
          <Policies />
          <Attention />
          {backend.isOwnServer && <Inbox backend={backend} user={user} />}
        </div>
        {/* Beside the pane, the rest of the page stays usable: the connection is cut while a dialog is open. */}
        {questions === 'dialog' && <ClientToolDialogs container={pane} />}
      </main>
      <HandrailDevtools chat={chat} faults={faults} />
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
