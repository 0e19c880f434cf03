import { type ReactNode, useId } from 'react';
import { isRecord } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { humaniseName } from '../text/safe-text.ts';
import type { RememberControls, RememberOptions } from './use-remember-choice.ts';

/**
 * "Allow once" or "Always allow…". The second one says, in a sentence with two pick lists, for which calls and where a yes is
 * remembered. The first proposal covers the fewest calls.
 */
export function RememberChoice({ remember, tool }: { remember: RememberControls; tool: AnyTool }) {
  const labels = useLabels();
  const id = useId();
  const { isOffered, scopes, canRestrict, options, setOptions } = remember;
  const [scope = 'conversation'] = scopes;
  if (!isOffered) return null;
  const isAlways = options !== undefined;
  return (
    <Slot
      slotName="fieldset"
      as="fieldset"
      className="hr-remember"
      role="radiogroup"
      aria-label={labels.remember}
    >
      <div className="hr-remember-options">
        <Radio
          id={`${id}once`}
          name={id}
          label={labels.rememberOnce}
          checked={!isAlways}
          onPick={() => setOptions(undefined)}
        />
        <Radio
          id={`${id}always`}
          name={id}
          label={labels.rememberAlways}
          checked={isAlways}
          onPick={() => setOptions({ scope, sameArguments: canRestrict })}
          describedBy={isAlways ? `${id}sentence` : undefined}
        />
      </div>
      {isAlways && (
        <Slot slotName="hint" as="div" className="hr-remember-sentence" id={`${id}sentence`}>
          {scopes.length === 0 ? (
            labels.rememberHint
          ) : (
            <Sentence remember={remember} options={options} names={nameArguments(tool)} />
          )}
        </Slot>
      )}
    </Slot>
  );
}

const nameArguments = ({ args }: AnyTool) => (isRecord(args) ? Object.keys(args).map(humaniseName) : []);

/** The sentence with its pick lists in the places that the language gives them. */
function Sentence({
  remember: { canRestrict, scopes, setOptions },
  options,
  names,
}: {
  remember: RememberControls;
  options: RememberOptions;
  names: readonly string[];
}) {
  const labels = useLabels();
  const lists: Readonly<Record<string, ReactNode>> = {
    '{calls}': canRestrict ? (
      <PickList
        label={labels.rememberCalls}
        value={options.sameArguments ? 'same' : 'every'}
        options={[
          ['same', labels.rememberSame(names)],
          ['every', labels.rememberEvery],
        ]}
        onPick={(calls) => setOptions({ ...options, sameArguments: calls === 'same' })}
      />
    ) : (
      labels.rememberEvery
    ),
    '{place}': (
      <PickList
        label={labels.rememberFor}
        value={options.scope}
        options={scopes.map((scope) => [scope, labels.rememberScopes[scope]])}
        onPick={(value) =>
          setOptions({ ...options, scope: scopes.find((scope) => scope === value) ?? options.scope })
        }
      />
    ),
  };
  return labels.rememberSentence
    .split(/(\{\w+\})/)
    .map((text) => <span key={text}>{lists[text] ?? text}</span>);
}

function PickList({
  label,
  value,
  options,
  onPick,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onPick: (value: string) => void;
}) {
  return (
    <Slot
      slotName="select"
      as="select"
      className="hr-pick-list"
      aria-label={label}
      value={value}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </Slot>
  );
}

function Radio({
  id,
  name,
  label,
  checked,
  onPick,
  describedBy,
}: {
  id: string;
  name: string;
  label: string;
  checked: boolean;
  onPick: () => void;
  describedBy?: string | undefined;
}) {
  return (
    <Slot slotName="option" as="div" className="hr-option" data-plain="">
      <Slot
        slotName="radio"
        as="input"
        type="radio"
        id={id}
        name={name}
        checked={checked}
        aria-describedby={describedBy}
        onChange={onPick}
      />
      <label htmlFor={id}>{label}</label>
    </Slot>
  );
}
