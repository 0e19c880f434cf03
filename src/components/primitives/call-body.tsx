import { isRecord } from '../../shared/json.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { ArgumentsView } from './arguments-view.tsx';
import { Slot } from './slot.tsx';

/** What a call was given, and what came of it. */
export function CallBody({
  call: { args, result, error },
}: {
  call: { readonly args?: unknown; readonly result?: unknown; readonly error?: string | undefined };
}) {
  const labels = useLabels();
  return (
    <div className="hr-call-body">
      {isRecord(args) && <ArgumentsView value={args} label={labels.callArguments} />}
      {result !== undefined && (
        <ArgumentsView
          value={isRecord(result) ? result : { [labels.result]: result }}
          label={labels.result}
        />
      )}
      {error !== undefined && (
        <Slot slotName="error" as="p" className="hr-error">
          {displayText(error)}
        </Slot>
      )}
    </div>
  );
}
