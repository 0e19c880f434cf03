import type { ReactNode } from 'react';
import { useProvidedChat } from '../../react/agent-chat-provider.tsx';
import { useAgentChatState } from '../../react/use-agent-chat-state.ts';
import { tryNow } from '../../shared/network.ts';
import { type HeldQuestion, useHeldQuestion } from '../hooks/held-questions.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot, type Slots, SlotsProvider } from '../primitives/slot.tsx';
import { englishDeliveryLabels } from '../text/delivery-labels.ts';
import { englishErrorLabels } from '../text/error-labels.ts';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { BarIcon } from './bar-icon.tsx';
import { type Bar, pickBar } from './pick-bar.ts';
import { useBackOnline } from './use-back-online.ts';

export interface ComposerBarProps {
  /** A question that is held back while the person types, or that was put off. Default: that of `ClientToolDialogs`. */
  readonly heldQuestion?: HeldQuestion | undefined;
  /** Shown while no bar is due, such as a hint of the app. */
  readonly children?: ReactNode;
  /** Strings to replace, see {@link Labels}. */
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers for its elements, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}

/**
 * The bar above the composer, which `Composer` shows by itself: what goes out when the network is back, a connection that is being made
 * again, a server that restarted, or a question that waits. One at a time, the weightiest. Takes room of its own and covers nothing.
 */
export function ComposerBar({ labels, slots, ...props }: ComposerBarProps) {
  return (
    <LabelsProvider labels={labels}>
      <SlotsProvider slots={slots}>
        <ChatBar {...props} />
      </SlotsProvider>
    </LabelsProvider>
  );
}

function ChatBar({ heldQuestion: given, children, className }: ComposerBarProps) {
  const held = useHeldQuestion();
  const heldQuestion = given ?? held;
  const chat = useProvidedChat();
  const outbox = useAgentChatState((state) => state.outbox);
  const error = useAgentChatState((state) => state.error);
  const connectionState = useAgentChatState((state) => state.connectionState);
  const isBack = useBackOnline(outbox);
  const bar = pickBar({ error, outbox, isBack, connectionState, heldQuestion });
  const text = useBarText(bar, outbox, heldQuestion);
  const connect = () => {
    tryNow();
    // A failed connection makes no further attempt by itself. Its failure is in the state.
    if (connectionState === 'error') chat.connect?.().catch(() => {});
  };
  return (
    <>
      {bar === undefined ? (
        children
      ) : (
        <Slot
          slotName="statusBar"
          as="div"
          className={joinWords('hr-piece', 'hr-bar', className)}
          data-kind={bar}
        >
          <BarIcon bar={bar} />
          <p>
            {text.strong !== undefined && <strong>{text.strong}</strong>} {text.rest}
          </p>
          {text.aside !== undefined && <span className="hr-faint">{text.aside}</span>}
          <BarButton bar={bar} onConnect={connect} onRetry={() => void chat.retry()} held={heldQuestion} />
        </Slot>
      )}
      {/* The dialogs announce a question that they hold back. */}
      {bar !== 'question' && <Announcement text={[text.strong, text.rest].filter(Boolean).join(' ')} />}
    </>
  );
}

interface BarText {
  readonly strong?: string;
  readonly rest?: string;
  readonly aside?: string;
}

function useBarText(
  bar: Bar | undefined,
  { answers, messages }: { readonly answers: number; readonly messages: number },
  held: HeldQuestion | undefined,
): BarText {
  const labels = useLabels(englishDeliveryLabels);
  const title = displayText(held?.title ?? '', 120);
  switch (bar) {
    case undefined:
      return {};
    case 'restarted':
      return { strong: labels.serverRestarted, rest: labels.answersKept };
    case 'offline':
      return { strong: labels.offline, rest: labels.goesOutLater(answers, messages) };
    case 'back':
      return { strong: labels.backOnline, rest: labels.allSent };
    case 'connecting':
      return { rest: labels.connectingAgain };
    case 'question':
      return held?.reason === 'typing'
        ? { strong: labels.agentAsks, rest: title, aside: labels.opensWhenYouPause }
        : { strong: title, rest: labels.questionWaits };
    default:
      return bar satisfies never;
  }
}

interface BarButtonProps {
  readonly bar: Bar;
  readonly held: HeldQuestion | undefined;
  readonly onConnect: () => void;
  readonly onRetry: () => void;
}

function BarButton({ bar, held, onConnect, onRetry }: BarButtonProps) {
  const labels = useLabels(englishDeliveryLabels, englishErrorLabels);
  if (bar === 'restarted') return <Button onClick={onRetry}>{labels.tryAgain}</Button>;
  if (bar === 'connecting') return <Button onClick={onConnect}>{labels.tryNow}</Button>;
  return bar === 'question' && held ? (
    <Button onClick={() => held.open()}>{labels.openQuestion}</Button>
  ) : null;
}
