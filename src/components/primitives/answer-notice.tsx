import type { Issue } from '../../core/tools/client-tool.ts';
import type { AnswerState } from '../hooks/use-answer.ts';
import type { Labels } from '../text/labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, humaniseName } from '../text/safe-text.ts';
import { Announcement } from './announcement.tsx';
import { Slot } from './slot.tsx';

/**
 * Tells the person why the last answer was refused. The person's input stays. The text is announced through the live region
 * of the question, because screen readers often skip a region that appears together with its text.
 */
export function AnswerNotice({ state }: { state: AnswerState }) {
  const labels = useLabels();
  switch (state.status) {
    case 'waiting':
    case 'settled':
      return null;
    case 'gone': {
      const text = readEnding(state.reason, labels);
      return (
        <Slot slotName="notice" as="p" className="hr-notice" data-look="caution">
          {text}
          <Announcement text={text} />
        </Slot>
      );
    }
    case 'refused': {
      const text = state.reason === 'not-serializable' ? labels.notSerializable : labels.answerRefused;
      return (
        <Slot slotName="notice" as="div" className="hr-notice" data-look="error">
          <p>{text}</p>
          <IssueList issues={state.issues} />
          <Announcement text={[text, ...state.issues.map(describeIssue)].join(' ')} />
        </Slot>
      );
    }
    default:
      return state satisfies never;
  }
}

function readEnding(reason: Extract<AnswerState, { status: 'gone' }>['reason'], labels: Labels): string {
  if (reason === 'expired') return labels.expired;
  return reason === 'not-allowed' ? labels.notAllowed : labels.alreadySettled;
}

/** Issues that belong to no visible field. */
export function IssueList({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul>
      {issues.map((issue, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two issues may read the same, and none has an id
        <li key={index}>{describeIssue(issue)}</li>
      ))}
    </ul>
  );
}

function describeIssue(issue: Issue): string {
  const path = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
  const place = path
    .map((key) => (typeof key === 'number' ? String(key + 1) : humaniseName(String(key))))
    .join(' › ');
  const message = displayText(issue.message, 300);
  return place === '' ? message : `${place}: ${message}`;
}
