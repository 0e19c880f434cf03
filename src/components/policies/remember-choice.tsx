import { useId } from 'react';
import { Part } from '../parts/part.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { Remember, Wanted } from './use-remember.ts';

/** The least that can be remembered comes first. */
const NARROWEST: Wanted = { scope: 'conversation', sameArguments: false };
const SCOPES = ['conversation', 'browser'] as const;

/** "Remember my choice": for how long, and for which calls. What is remembered is whichever button is pressed then. */
export function RememberChoice({ remember }: { remember: Remember }) {
  const labels = useLabels();
  const id = useId();
  const { isOffered, canMatch, wanted, want } = remember;
  if (!isOffered) return null;
  return (
    <Part partName="fieldset" as="fieldset" className="hr-remember" aria-label={labels.remember}>
      <Tick
        id={`${id}remember`}
        label={labels.remember}
        checked={wanted !== undefined}
        onChange={(checked) => want(checked ? NARROWEST : undefined)}
        describedBy={wanted && `${id}hint`}
      />
      {wanted !== undefined && (
        <>
          <Part partName="hint" as="p" className="hr-hint" id={`${id}hint`}>
            {labels.rememberHint}
          </Part>
          <Part partName="field" as="div" className="hr-field">
            <Part partName="label" as="label" className="hr-label" htmlFor={`${id}scope`}>
              {labels.rememberFor}
            </Part>
            <Part
              partName="select"
              as="select"
              className="hr-input hr-select"
              id={`${id}scope`}
              value={wanted.scope}
              onChange={({ currentTarget: { value } }) =>
                want({ ...wanted, scope: SCOPES.find((scope) => scope === value) ?? wanted.scope })
              }
            >
              {SCOPES.map((scope) => (
                <option key={scope} value={scope}>
                  {labels.rememberScopes[scope]}
                </option>
              ))}
            </Part>
          </Part>
          {canMatch && (
            <Tick
              id={`${id}same`}
              label={labels.rememberSameArguments}
              checked={wanted.sameArguments}
              onChange={(sameArguments) => want({ ...wanted, sameArguments })}
            />
          )}
        </>
      )}
    </Part>
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
    <Part partName="option" as="div" className="hr-option" data-plain="">
      <Part
        partName="checkbox"
        as="input"
        type="checkbox"
        id={id}
        checked={checked}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </Part>
  );
}
