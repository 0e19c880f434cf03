import { type ReactNode, useCallback } from 'react';
import type { UIMessage } from '../../core/state/message.ts';
import type { ChatStatus } from '../../core/store/chat-state.ts';
import { useAgentChatState } from '../../react/use-agent-chat-state.ts';
import { KeepFocusContext } from '../hooks/use-return-focus.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { DownIcon, UpIcon } from '../primitives/icons.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot, type Slots, SlotsProvider } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { englishTranscriptLabels } from '../text/transcript-labels.ts';
import { PendingToolsContext } from './custom-tool-call.tsx';
import { MessageView } from './message-view.tsx';
import { RenderersContext, type TranscriptRenderers, useStableRenderers } from './transcript-renderers.ts';
import { ChatTurnError } from './turn-error.tsx';
import { useSpokenAnswer } from './use-spoken-answer.ts';
import { type TranscriptScroll, useTranscriptScroll } from './use-transcript-scroll.ts';

export interface TranscriptProps {
  /** The messages to show. Default: those of the chat from the `AgentChatProvider`, with its status and its error. */
  readonly messages?: readonly UIMessage[] | undefined;
  /** The chat status that goes with `messages`. Default `idle`. */
  readonly status?: ChatStatus | undefined;
  /** Components that render parts, tool calls or messages, see {@link TranscriptRenderers}. */
  readonly renderers?: TranscriptRenderers | undefined;
  /** Shown while there are no messages. */
  readonly empty?: ReactNode;
  /** Rendered below the last message, such as `<ClientToolDialogs mode="inline" />`. */
  readonly children?: ReactNode;
  /** Strings to replace, see {@link Labels}. */
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers for its elements, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}

/**
 * A conversation. It fills the height of its container and scrolls inside. It follows the text while the reader is at
 * the end, and does not move while the reader reads above. A bar leads to a waiting question that is not visible. Finished
 * answers are read out. Only changed messages render again.
 */
export function Transcript({ labels, renderers, slots, ...props }: TranscriptProps) {
  return (
    <LabelsProvider labels={labels}>
      <SlotsProvider slots={slots}>
        <RenderersContext.Provider value={useStableRenderers(renderers)}>
          {props.messages === undefined ? (
            <ChatTranscript {...props} />
          ) : (
            <Shown {...props} messages={props.messages} waiting={NO_CALLS} questions={0} />
          )}
        </RenderersContext.Provider>
      </SlotsProvider>
    </LabelsProvider>
  );
}

const NO_CALLS: readonly string[] = [];

function ChatTranscript({ children, ...props }: TranscriptProps) {
  const messages = useAgentChatState((state) => state.messages);
  const status = useAgentChatState((state) => state.status);
  const isHeld = useAgentChatState(({ outbox }) => outbox.isOffline);
  const pending = useAgentChatState(({ pendingCalls }) => pendingCalls);
  const own = pending.filter(({ mayAnswer }) => mayAnswer !== false);
  return (
    <PendingToolsContext.Provider value={pending}>
      <Shown
        {...props}
        messages={messages}
        status={status}
        waiting={pending.map(({ toolCallId }) => toolCallId)}
        questions={own.length}
        isHeld={isHeld}
      >
        {children}
        <ChatTurnError />
      </Shown>
    </PendingToolsContext.Provider>
  );
}

interface ShownProps extends TranscriptProps {
  readonly messages: readonly UIMessage[];
  readonly waiting: readonly string[];
  /** The number of calls that this person may answer. */
  readonly questions: number;
  /** The agent has nothing to think about: what it waits for has not been sent. */
  readonly isHeld?: boolean;
}

function Shown({
  messages,
  status = 'idle',
  waiting,
  questions,
  isHeld = false,
  empty,
  children,
  className,
}: ShownProps) {
  const labels = useLabels(englishTranscriptLabels);
  const sent = messages.findLast(({ role }) => role === 'user')?.id;
  const scroll = useTranscriptScroll(sent, messages.length === 0);
  const { viewport, content, atEnd } = scroll;
  const spoken = useSpokenAnswer(messages, status === 'streaming', content);
  const keepFocus = useCallback(() => viewport.current?.focus({ preventScroll: true }), [viewport]);
  return (
    <Slot
      slotName="transcript"
      as="div"
      className={joinWords('hr-piece', 'hr-transcript', className)}
      data-status={status}
      data-empty={messages.length === 0 ? '' : undefined}
    >
      <section
        ref={viewport}
        className="hr-transcript-viewport"
        aria-label={labels.conversation}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        data-at-end={atEnd ? '' : undefined}
      >
        <div ref={content} className="hr-transcript-content">
          <KeepFocusContext.Provider value={keepFocus}>
            {messages.length === 0 && empty}
            {messages.map((message) => (
              <MessageView
                key={message.id}
                message={message}
                waiting={message.status === 'streaming' ? waiting : undefined}
              />
            ))}
            {status === 'streaming' && !isHeld && isSilent(messages.at(-1)) && (
              <p className="hr-thinking">{labels.thinking}</p>
            )}
            {children}
          </KeepFocusContext.Provider>
        </div>
      </section>
      <ScrollBar scroll={scroll} waitingCount={questions} onJump={keepFocus} />
      <Announcement text={spoken} />
    </Slot>
  );
}

/** Leads to a waiting question that is not visible, or else to the end. */
function ScrollBar({
  scroll: { atEnd, question, goToEnd, goToQuestion },
  waitingCount,
  onJump,
}: {
  scroll: TranscriptScroll;
  waitingCount: number;
  /** Called before the jump to the end, which removes the button. */
  onJump: () => void;
}) {
  const labels = useLabels(englishTranscriptLabels);
  return (
    <Slot slotName="bar" as="div" className="hr-transcript-bar">
      {question === 'above' || question === 'below' ? (
        <Button look="primary" onClick={goToQuestion}>
          {question === 'above' ? <UpIcon /> : <DownIcon />}
          {labels.pendingTitle(Math.max(1, waitingCount))}
          <span className="hr-transcript-bar-action">{labels.showQuestion}</span>
        </Button>
      ) : (
        !atEnd && (
          <Button
            onClick={() => {
              onJump();
              goToEnd();
            }}
          >
            <DownIcon />
            {labels.jumpToLatest}
          </Button>
        )
      )}
    </Slot>
  );
}

/** Returns true if no part on the screen shows that the agent is working. */
function isSilent(last: UIMessage | undefined): boolean {
  const part = last?.parts.at(-1);
  return (
    part === undefined || !('status' in part) || !['streaming', 'pending', 'running'].includes(part.status)
  );
}
