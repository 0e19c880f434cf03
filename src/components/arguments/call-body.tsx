import { isRecord } from '../../shared/json.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { ArgumentsTable } from './arguments-table.tsx';

/** A call in a transcript or a history. */
interface CallContent {
  readonly args?: unknown;
  /** JSON Schema of the arguments. */
  readonly inputSchema?: unknown;
  /** The arguments as the agent sent them, where a person changed them. */
  readonly originalArgs?: unknown;
  readonly result?: unknown;
  readonly error?: string | undefined;
}

/** The arguments of a call, then its result or error text. Empty for a call that has none of them. */
export function CallBody({ call }: { call: CallContent }) {
  return (
    <div className="hr-call-body">
      <CallFields call={call} />
    </div>
  );
}

/** The same inside a body that has other content as well. */
export function CallFields({ call }: { call: CallContent }) {
  const labels = useLabels();
  const { args, result, error } = call;
  return (
    <>
      {hasEntries(args) && (
        <div>
          <Heading text={labels.callArguments} />
          <ArgumentsTable
            args={args}
            schema={call.inputSchema}
            originalArgs={call.originalArgs}
            label={labels.callArguments}
          />
        </div>
      )}
      {hasEntries(result) && (
        <div>
          <Heading text={labels.result} />
          <ArgumentsTable args={result} label={labels.result} />
        </div>
      )}
      {result !== undefined && !isRecord(result) && (
        // The name of the only entry says that it is the result.
        <ArgumentsTable args={{ [labels.result]: result }} label={labels.result} />
      )}
      {error !== undefined && (
        <Slot slotName="error" as="p" className="hr-error">
          {displayText(error)}
        </Slot>
      )}
    </>
  );
}

function hasEntries(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0;
}

/** Screen readers get it as the name of the table. */
function Heading({ text }: { text: string }) {
  return (
    <p className="hr-call-heading" aria-hidden="true">
      {text}
    </p>
  );
}
