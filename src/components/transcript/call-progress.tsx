import type { CSSProperties } from 'react';
import type { ToolProgress } from '../../core/state/message.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { englishTranscriptLabels } from '../text/transcript-labels.ts';

/** How far the handler of a call is: its words and its numbers, and a bar along the foot of the row where both numbers are known. */
export function CallProgress({ progress }: { progress: ToolProgress | undefined }) {
  const labels = useLabels(englishTranscriptLabels);
  if (progress === undefined) return null;
  const { done, total, text = '' } = progress;
  const share = done !== undefined && total ? Math.min(1, done / total) : undefined;
  const style = share === undefined ? undefined : ({ '--_share': share } as CSSProperties);
  return (
    <Slot
      slotName="progress"
      as="span"
      className="hr-call-progress"
      style={style}
      data-bar={share === undefined ? undefined : ''}
    >
      {text !== '' && <bdi className="hr-call-progress-text">{displayText(text, 120)}</bdi>}
      {done !== undefined && <bdi className="hr-call-progress-count">{labels.callProgress(done, total)}</bdi>}
    </Slot>
  );
}
