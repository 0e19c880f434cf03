import type { Notice } from '../../core/state/conversation.ts';
import { useAgentChatState } from '../../react/use-agent-chat-state.ts';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { englishTranscriptLabels } from '../text/transcript-labels.ts';

export interface NoticesProps {
  /** Default: the notices of the chat from the `AgentChatProvider`. */
  readonly notices?: readonly Notice[] | undefined;
  /** The maximal number of notices; the latest ones are shown. Default 3. */
  readonly limit?: number | undefined;
  readonly className?: string | undefined;
}

/** Notices of the backend that did not end a turn, the latest last. New notices are read out. */
export function Notices(props: NoticesProps) {
  return props.notices === undefined ? <ChatNotices {...props} /> : <List {...props} />;
}

function ChatNotices(props: NoticesProps) {
  return <List {...props} notices={useAgentChatState((state) => state.notices)} />;
}

function List({ notices = [], limit = 3, className }: NoticesProps) {
  const labels = useLabels(englishTranscriptLabels);
  const from = Math.max(0, notices.length - limit);
  return (
    <div
      className={joinWords('hr-piece', 'hr-notices', className)}
      role="log"
      aria-live="polite"
      aria-label={labels.notices}
    >
      {notices.slice(from).map(({ code, text }, index) => (
        <Slot
          slotName="notice"
          as="p"
          className="hr-notice"
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of text hold no state, and no notice has an id
          key={from + index}
          data-look="caution"
          data-code={code}
        >
          {displayText(text, 600)}
        </Slot>
      ))}
    </div>
  );
}
