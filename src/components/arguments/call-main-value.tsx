import { useMemo } from 'react';
import { useLabels } from '../text/labels-context.tsx';
import { mainValue } from './main-value.ts';

/** The main value of a call in its row, after a change with the old one struck through. Nothing for a call that has none. */
export function CallMainValue({
  args,
  schema,
  originalArgs,
}: {
  args: unknown;
  /** JSON Schema of the arguments. */
  schema: unknown;
  originalArgs: unknown;
}) {
  const labels = useLabels();
  const value = useMemo(
    () => mainValue(args, schema, originalArgs, labels),
    [args, schema, originalArgs, labels],
  );
  if (value === undefined) return null;
  return (
    <span className="hr-main-value">
      {value.before !== undefined && (
        <>
          <del className="hr-before">
            <span className="hr-hidden">{labels.before} </span>
            <bdi>{value.before}</bdi>
          </del>
          <span className="hr-arrow" aria-hidden="true">
            {' → '}
          </span>
          <span className="hr-hidden">{labels.after} </span>
        </>
      )}
      <bdi data-changed={value.before === undefined ? undefined : ''}>{value.text}</bdi>
    </span>
  );
}
