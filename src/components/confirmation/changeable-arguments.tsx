import { lazy, Suspense } from 'react';
import type { AnyTool } from '../any-tool.ts';
import { CallArguments } from '../arguments/call-arguments.tsx';
import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { ChangeFieldProps } from './change-field.tsx';
import type { ChangedArguments } from './use-changed-arguments.ts';

/** Loads the form library on demand, because most confirmations never need it. If it fails to load, the question stays. */
const ChangeField = /* @__PURE__ */ lazy(() =>
  import('./change-field.tsx').then(
    ({ ChangeField }) => ({ default: ChangeField }),
    () => ({ default: ChangeUnavailable }),
  ),
);

/** Shows what will run, with a button for each argument that the person may change. */
export function ChangeableArguments({
  tool,
  rest,
  changed,
  isClosed,
}: {
  tool: AnyTool;
  rest: Readonly<Record<string, unknown>>;
  changed: ChangedArguments;
  /** The call can no longer be answered. */
  isClosed: boolean;
}) {
  const input = tool.definition?.input;
  const { editing, names, changes, touched, start, undo } = changed;
  if (names.length === 0) return <CallArguments tool={tool} rest={rest} />;
  const field = editing !== undefined && input !== undefined && (
    <Suspense fallback={null}>
      <ChangeField name={editing} input={input} changed={changed} isClosed={isClosed} />
    </Suspense>
  );
  return (
    <CallArguments
      tool={tool}
      rest={rest}
      value={changed.value}
      change={{
        names,
        changed: changes.map(({ name }) => name),
        editing,
        touched,
        field,
        isClosed,
        start,
        undo,
      }}
    />
  );
}

/** Replaces a field that failed to load. The person can still decide the call as it is. */
function ChangeUnavailable({ changed }: ChangeFieldProps) {
  const labels = useLabels();
  return (
    <div className="hr-change">
      <Slot slotName="notice" as="p" className="hr-notice" data-look="error">
        {labels.editUnavailable}
        <Announcement text={labels.editUnavailable} />
      </Slot>
      {/* The pressed button is gone. Without autofocus in the same commit, the dialog would take the focus. */}
      <Button autoFocus onClick={changed.cancel}>
        {labels.back}
      </Button>
    </div>
  );
}
