import { memo, useContext } from 'react';
import type { UIMessage } from '../../state/message.ts';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { PartView } from './part-view.tsx';
import { RenderersContext } from './transcript-renderers.ts';

export interface MessageViewProps {
  /** Keep its identity as long as nothing in it changes, and it does not render again. */
  readonly message: UIMessage;
  /** Ids of calls that wait for a person at this moment. Default none. */
  readonly waiting?: readonly string[] | undefined;
  readonly className?: string | undefined;
}

const NOBODY: readonly string[] = [];

/**
 * One message with all its parts. `data-role`, `data-status`, and on each part `data-part`, are there for style
 * sheets. A message that did not change is the same object and does not render again.
 */
export const MessageView = /* @__PURE__ */ memo(function MessageView({
  message,
  waiting = NOBODY,
  className,
}: MessageViewProps) {
  const labels = useLabels();
  const { message: Renderer } = useContext(RenderersContext);
  const { id, role, status, ending, parts } = message;
  const shown = parts.map((part, index) => (
    <PartView
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
      key={index}
      part={part}
      role={role}
      // Some backends count calls anew in each run: an old call of the same id is over.
      waiting={part.type === 'tool-call' && part.status === 'running' && waiting.includes(part.toolCallId)}
    />
  ));
  return (
    <Slot
      slotName="message"
      as="article"
      className={joinWords('hr-piece', 'hr-message', className)}
      aria-label={labels.roles[role]}
      data-message={id}
      data-role={role}
      data-status={status}
      data-ending={ending}
    >
      {Renderer === undefined ? shown : <Renderer message={message}>{shown}</Renderer>}
      {ending === 'stopped' && <p className="hr-aside">{labels.stopped}</p>}
    </Slot>
  );
});
