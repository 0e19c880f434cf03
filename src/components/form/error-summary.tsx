import type { RefObject } from 'react';
import type { Issue } from '../../core/tools/client-tool.ts';
import { IssueList } from '../primitives/answer-notice.tsx';
import { Slot } from '../primitives/slot.tsx';
import type { ControlIssue } from './kinds/control-issue.ts';
import { controlId } from './kinds/form-context.ts';
import { type FormRoomLabels, useFormLabels } from './kinds/use-form-labels.ts';

/**
 * Lists the errors above the form, each with a link to its field. It takes the focus after a failed submit. It has no name, because
 * JAWS reads only the name of what takes the focus, where there is one. It is no region: two forms would have regions of one name.
 */
export function ErrorSummary({
  formId,
  located,
  general,
  summaryRef,
}: {
  formId: string;
  located: readonly ControlIssue[];
  general: readonly Issue[];
  summaryRef: RefObject<HTMLDivElement | null>;
}) {
  const labels = useFormLabels();
  const count = located.length + general.length;
  if (count === 0) return null;
  return (
    <Slot
      slotName="errorSummary"
      as="div"
      role="group"
      className="hr-notice"
      data-look="error"
      tabIndex={-1}
      ref={summaryRef}
    >
      <p>{located.length === 0 ? labels.formInvalid : labels.errorSummary(count)}</p>
      {located.length > 0 && (
        <ul>
          {located.map((issue) => (
            <li key={issue.name}>
              <a
                className="hr-link"
                href={`#${controlId(formId, issue.name)}`}
                onClick={(event) => {
                  // Following the link would change the URL of the page, and a router may react to it.
                  event.preventDefault();
                  focusControl(event.currentTarget, controlId(formId, issue.name));
                }}
              >
                {joinTitle(nameOf(issue, labels), issue.message)}
              </a>
            </li>
          ))}
        </ul>
      )}
      <IssueList issues={general} />
    </Slot>
  );
}

/** Returns the label of the control. The rows of a list have the same label, so its number follows. */
function nameOf({ name, label, group = [] }: ControlIssue, { itemLabel }: FormRoomLabels): string {
  const control = name
    .split('.')
    .reduce((named, step) => (/^\d/.test(step) ? itemLabel(named, Number(step) + 1) : named), label);
  return [...group, control].join(': ');
}

/** A label that ends as a sentence, such as a question, needs no colon. */
function joinTitle(label: string, message: string): string {
  if (label === '' || message === '') return label || message;
  return /[.:!?…]$/.test(label) ? `${label} ${message}` : `${label}: ${message}`;
}

function focusControl(near: Element, id: string): void {
  // The document does not find an id inside a shadow root.
  const root = near.getRootNode() as Document | ShadowRoot;
  const element = root.getElementById(id);
  const find = (selector: string) => element?.querySelector<HTMLElement>(selector);
  // In a row of radio buttons only the chosen one is in the order of focus.
  const control = find('input[type="radio"]:checked') ?? find('input, select, textarea, button') ?? element;
  control?.focus();
  element?.scrollIntoView?.({ block: 'center' });
}
