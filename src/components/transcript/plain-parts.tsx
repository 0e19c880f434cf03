import { isRecord } from '../../shared/json.ts';
import type { ObjectPart, OperationPart, ReasoningPart, TextPart } from '../../state/message.ts';
import { ArgumentsView } from '../primitives/arguments-view.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, humaniseName } from '../text/safe-text.ts';

/** Plain text with its line breaks. Markup in it is shown as text. */
export function TextPartView({ part }: { part: TextPart }) {
  const text = part.text.trim();
  if (text === '') return null;
  return (
    <p className="hr-text" dir="auto">
      {text}
    </p>
  );
}

/** The reasoning of the agent, closed at first because it is long. */
export function ReasoningPartView({ part }: { part: ReasoningPart }) {
  const labels = useLabels();
  return (
    <Slot slotName="reasoning" as="details" className="hr-reasoning">
      <summary>{labels.reasoning[part.status]}</summary>
      <p className="hr-text" dir="auto">
        {part.text.trim()}
      </p>
    </Slot>
  );
}

/** An operation of the backend other than a tool call. */
export function OperationPartView({ part }: { part: OperationPart }) {
  const labels = useLabels();
  return (
    <p className="hr-aside">
      {displayText(part.name, 120)} <span className="hr-faint">{labels.operationStatus[part.status]}</span>
    </p>
  );
}

/** Structured output: the complete object, or the parts that have arrived so far. */
export function ObjectPartView({ part }: { part: ObjectPart }) {
  const value = part.object ?? part.partial;
  const name = humaniseName(part.typeName);
  return (
    <>
      {value !== undefined && (
        <ArgumentsView value={isRecord(value) ? value : { [name]: value }} label={name} />
      )}
      {part.error !== undefined && <p className="hr-error">{displayText(part.error, 600)}</p>}
    </>
  );
}
