import { memo, useContext } from 'react';
import type { UIMessage } from '../../core/state/message.ts';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { nameWorker } from '../text/name-call.ts';
import { displayText } from '../text/safe-text.ts';
import { englishTranscriptLabels } from '../text/transcript-labels.ts';
import { PartView } from './part-view.tsx';
import { RenderersContext } from './transcript-renderers.ts';

export interface MessageViewProps {
  /** Keep the object's identity while nothing in it changes, so that it does not render again. */
  readonly message: UIMessage;
  /** The ids of the calls that wait for a person. Default: none. */
  readonly waiting?: readonly string[] | undefined;
  readonly className?: string | undefined;
}

const NO_CALLS: readonly string[] = [];

/**
 * Shows one message with all its parts, below the name of its sender if it has one. `data-role`, `data-status`, and `data-part` on each
 * part, are for style sheets. An unchanged message is the same object and does not render again.
 */
export const MessageView = /* @__PURE__ */ memo(function MessageView({
  message,
  waiting = NO_CALLS,
  className,
}: MessageViewProps) {
  const labels = useLabels(englishTranscriptLabels);
  const { message: Renderer } = useContext(RenderersContext);
  const { id, role, status, ending, parts, sender } = message;
  const author = sender?.name ? displayText(sender.name, 80) : undefined;
  const shown = parts.map((part, index) => (
    <PartView
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
      key={index}
      part={part}
      role={role}
      origin={part.thread === parts[index - 1]?.thread ? undefined : nameWorker(part.thread, parts)}
      // Some backends number their calls from 1 in each run, so an ended call may have the same id.
      waiting={part.type === 'tool-call' && part.status === 'running' && waiting.includes(part.toolCallId)}
    />
  ));
  return (
    <Slot
      slotName="message"
      as="article"
      className={joinWords('hr-piece', 'hr-message', className)}
      aria-label={author ?? labels.roles[role]}
      data-message={id}
      data-role={role}
      data-status={status}
      data-ending={ending}
    >
      {author !== undefined && <p className="hr-message-sender">{author}</p>}
      {Renderer === undefined ? shown : <Renderer message={message}>{shown}</Renderer>}
      {ending === 'stopped' && <p className="hr-aside">{labels.stopped}</p>}
    </Slot>
  );
});
