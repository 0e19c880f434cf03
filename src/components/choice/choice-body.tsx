import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { NO_PICK, SEARCH_FROM } from '../form/option-rows.tsx';
import { Announcement } from '../primitives/announcement.tsx';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import type { AnyTool } from '../primitives/any-tool.ts';
import { ArgumentsView } from '../primitives/arguments-view.tsx';
import { Button } from '../primitives/button.tsx';
import type { QuestionBodyProps } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import { OptionList } from './option-list.tsx';
import type { ChoiceModel } from './read-choice.ts';

/** Picks are positions in `choice.options`: values may be equal, or not comparable. */
export function ChoiceBody({
  tool,
  choice,
  prompt,
  severity,
  answer,
  submitLabel,
  autofocus,
}: QuestionBodyProps & {
  tool: AnyTool;
  choice: ChoiceModel;
  submitLabel: string | undefined;
  autofocus: boolean;
}) {
  const labels = useLabels();
  const id = useId();
  const { options, multiple, optional } = choice;
  const listRef = useRef<HTMLFieldSetElement>(null);
  const [picked, setPicked] = useState(() => {
    // Calls made by hand may keep nothing.
    const kept = tool.getSavedInput?.();
    return Array.isArray(kept) ? kept.filter((index) => options[index]) : choice.initial;
  });
  const [error, setError] = useState<string>();
  const empty = options.length === 0;
  const gone = answer.state.status === 'gone';

  const focusOn = (which: string) =>
    listRef.current?.querySelector<HTMLInputElement>(`[data-index${which}]`)?.focus();
  const pick = (index: number) => {
    setError(undefined);
    const others = picked.filter((other) => multiple && other !== index);
    // A second press takes back, and so does the row that is none of the options.
    const next =
      index === NO_PICK || (multiple && others.length < picked.length) ? others : [...others, index];
    setPicked(next);
    tool.saveInput?.(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = checkCount(choice, picked.length, labels);
    setError(problem);
    if (problem !== undefined) {
      focusOn('');
      return;
    }
    const values = options.filter((_, index) => picked.includes(index)).map((option) => option.value);
    answer.submit(choice.toResult(values));
  };
  const pickByNumber = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || options.length >= SEARCH_FROM) return;
    if (!/^\d$/.test(event.key)) return;
    // 0 is the row that takes the pick back.
    const index = Number(event.key) - 1;
    if (index === NO_PICK ? !optional : options[index] === undefined) return;
    event.preventDefault();
    pick(index);
    focusOn(`="${index}"`);
  };
  return (
    <>
      <QuestionHeader tool={tool} prompt={prompt} severity={severity} answer={answer} />
      {Object.keys(prompt.rest).length > 0 && (
        <Slot slotName="body" as="div" className="hr-body">
          <ArgumentsView value={prompt.rest} />
        </Slot>
      )}
      <Slot
        slotName="form"
        as="form"
        className="hr-form"
        onSubmit={submit}
        onKeyDown={pickByNumber}
        noValidate
      >
        {empty ? (
          <p className="hr-faint">{labels.noOptions}</p>
        ) : (
          <OptionList
            id={id}
            listRef={listRef}
            choice={choice}
            picked={picked}
            error={error}
            autofocus={autofocus}
            onPick={pick}
          />
        )}
        <Announcement text={error ?? ''} />
        <AnswerNotice state={answer.state} />
        <Slot slotName="footer" as="footer" className="hr-footer">
          {gone ? (
            <Button look="primary" onClick={answer.dismiss}>
              {labels.close}
            </Button>
          ) : (
            <>
              <Button onClick={() => answer.decline()} autofocus={autofocus && empty}>
                {labels.decline}
              </Button>
              {!empty && (
                <Button type="submit" look="primary" aria-disabled={answer.state.status === 'settled'}>
                  {submitLabel ?? labels.submit}
                </Button>
              )}
            </>
          )}
        </Slot>
      </Slot>
    </>
  );
}

function checkCount(choice: ChoiceModel, count: number, labels: Labels): string | undefined {
  if (!choice.multiple) return count === 1 || choice.optional ? undefined : labels.choiceMissing;
  if (count < choice.min) return labels.choiceTooFew(choice.min);
  return choice.max !== undefined && count > choice.max ? labels.choiceTooMany(choice.max) : undefined;
}
