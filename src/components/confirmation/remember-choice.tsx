import { useId } from 'react';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { RememberControls, RememberOptions } from './use-remember-choice.ts';

/** The first proposal covers the fewest calls. */
const DEFAULT_OPTIONS: RememberOptions = { scope: 'conversation', sameArguments: false };
const SCOPES = ['conversation', 'browser'] as const;

/**
 * "Remember my choice", with its duration and the calls that it covers. The answer that the person then presses is
 * remembered.
 */
export function RememberChoice({ remember }: { remember: RememberControls }) {
  const labels = useLabels();
  const id = useId();
  const { isOffered, isOfBackend, canRestrict, options, setOptions } = remember;
  if (!isOffered) return null;
  return (
    <Slot slotName="fieldset" as="fieldset" className="hr-remember" aria-label={labels.remember}>
      <Tick
        id={`${id}remember`}
        label={labels.remember}
        checked={options !== undefined}
        onChange={(checked) => setOptions(checked ? DEFAULT_OPTIONS : undefined)}
        describedBy={options && `${id}hint`}
      />
      {options !== undefined && (
        <>
          <Slot slotName="hint" as="p" className="hr-hint" id={`${id}hint`}>
            {labels.rememberHint}
          </Slot>
          {!isOfBackend && <Scope id={id} options={options} setOptions={setOptions} />}
          {!isOfBackend && canRestrict && (
            <Tick
              id={`${id}same`}
              label={labels.rememberSameArguments}
              checked={options.sameArguments}
              onChange={(sameArguments) => setOptions({ ...options, sameArguments })}
            />
          )}
        </>
      )}
    </Slot>
  );
}

function Scope({
  id,
  options,
  setOptions,
}: {
  id: string;
  options: RememberOptions;
  setOptions: (options: RememberOptions) => void;
}) {
  const labels = useLabels();
  return (
    <Slot slotName="field" as="div" className="hr-field">
      <Slot slotName="label" as="label" className="hr-label" htmlFor={`${id}scope`}>
        {labels.rememberFor}
      </Slot>
      <Slot
        slotName="select"
        as="select"
        className="hr-input hr-select"
        id={`${id}scope`}
        value={options.scope}
        onChange={({ currentTarget: { value } }) =>
          setOptions({ ...options, scope: SCOPES.find((scope) => scope === value) ?? options.scope })
        }
      >
        {SCOPES.map((scope) => (
          <option key={scope} value={scope}>
            {labels.rememberScopes[scope]}
          </option>
        ))}
      </Slot>
    </Slot>
  );
}

function Tick({
  id,
  label,
  checked,
  onChange,
  describedBy,
}: {
  id: string;
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  describedBy?: string | undefined;
}) {
  return (
    <Slot slotName="option" as="div" className="hr-option" data-plain="">
      <Slot
        slotName="checkbox"
        as="input"
        type="checkbox"
        id={id}
        checked={checked}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </Slot>
  );
}
