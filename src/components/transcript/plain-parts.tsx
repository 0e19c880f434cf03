import type {
  ObjectPart,
  OperationPart,
  ReasoningPart,
  TextPart,
  TodoPart,
} from '../../core/state/message.ts';
import { hasOwn, isRecord } from '../../shared/json.ts';
import { ArgumentsTable } from '../arguments/arguments-table.tsx';
import { TaskIcon } from '../primitives/icons.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, humaniseName } from '../text/safe-text.ts';
import { englishTranscriptLabels, type TranscriptLabels } from '../text/transcript-labels.ts';

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
  const labels = useLabels(englishTranscriptLabels);
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
  const labels = useLabels(englishTranscriptLabels);
  return (
    <p className="hr-aside">
      {displayText(part.name, 120)} <span className="hr-faint">{labels.operationStatus[part.status]}</span>
    </p>
  );
}

/** The tasks that the agent works through, each with its status. */
export function TodoPartView({ part }: { part: TodoPart }) {
  const labels = useLabels(englishTranscriptLabels);
  return (
    <ul className="hr-todos" aria-label={labels.todos}>
      {part.todos.map(({ id, content, status }) => (
        <li key={id} className="hr-todo" data-status={status}>
          <TaskIcon status={status} />
          <span>
            <bdi>{displayText(content, 300)}</bdi>{' '}
            <span className="hr-faint">
              {isTodoStatus(labels, status) ? labels.todoStatus[status] : displayText(status, 40)}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Later servers may send other words. */
function isTodoStatus(
  { todoStatus }: TranscriptLabels,
  status: string,
): status is keyof TranscriptLabels['todoStatus'] {
  return hasOwn(todoStatus, status);
}

/** Structured output: the complete object, or the parts that have arrived so far. */
export function ObjectPartView({ part }: { part: ObjectPart }) {
  const value = part.object ?? part.partial;
  const name = humaniseName(part.typeName);
  return (
    <>
      {value !== undefined && (
        <ArgumentsTable args={isRecord(value) ? value : { [name]: value }} label={name} />
      )}
      {part.error !== undefined && <p className="hr-error">{displayText(part.error, 600)}</p>}
    </>
  );
}
