import type { UIMessage } from '../../core/state/message.ts';
import type { Issue } from '../../core/tools/client-tool.ts';
import { useSurroundingChat } from '../../react/agent-chat-provider.tsx';
import type { AnswerState } from '../hooks/use-answer.ts';
import { useLabels } from '../text/labels-context.tsx';
import { findCall } from '../text/name-call.ts';
import { displayText, humaniseName } from '../text/safe-text.ts';
import type { SharedLabels } from '../text/shared-labels.ts';
import { Announcement } from './announcement.tsx';
import { Slot } from './slot.tsx';

/**
 * Tells the person why the last answer was refused. The person's input stays. The text is announced through the live region
 * of the question, because screen readers often skip a region that appears together with its text.
 */
export function AnswerNotice({
  state,
  toolCallId,
}: {
  state: AnswerState;
  /** The call, so that the notice can name the person who answered it. */
  toolCallId?: string;
}) {
  const labels = useLabels();
  const chat = useSurroundingChat();
  switch (state.status) {
    case 'waiting':
    case 'settled':
      return null;
    case 'gone': {
      const text =
        (toolCallId !== undefined && chat && readDecision(toolCallId, chat.getState().messages, labels)) ||
        readEnding(state.reason, labels);
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

function readEnding(
  reason: Extract<AnswerState, { status: 'gone' }>['reason'],
  labels: SharedLabels,
): string {
  if (reason === 'expired') return labels.expired;
  return reason === 'not-allowed' ? labels.notAllowed : labels.alreadySettled;
}

/** Says who answered the call in the meantime, if the backend names the person. */
function readDecision(
  toolCallId: string,
  messages: readonly UIMessage[],
  labels: SharedLabels,
): string | undefined {
  const call = findCall(
    toolCallId,
    messages.findLast(({ parts }) => findCall(toolCallId, parts))?.parts ?? [],
  );
  const name = call?.answeredBy && displayText(call.answeredBy.name ?? call.answeredBy.id, 120);
  if (name === undefined) return undefined;
  if (call?.outcome === 'declined') return labels.decidedJustNow.declined(name);
  const isAllowed = call?.executedBy === 'server' && call.outcome === 'submitted';
  return isAllowed ? labels.decidedJustNow.allowed(name) : labels.decidedJustNow.answered(name);
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
