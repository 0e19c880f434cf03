import { type FormEvent, type KeyboardEvent, useContext, useId, useRef, useState } from 'react';
import { isComposing } from '../../shared/is-composing.ts';
import type { AnyTool } from '../any-tool.ts';
import { CallArguments } from '../arguments/call-arguments.tsx';
import { ArmingContext } from '../hooks/use-arming.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import { Button } from '../primitives/button.tsx';
import { NO_PICK, SEARCH_FROM } from '../primitives/option-rows.tsx';
import type { QuestionBodyProps } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { readNoAnswer } from '../text/answer-words.ts';
import { type ChoiceLabels, englishChoiceLabels } from '../text/choice-labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { SharedLabels } from '../text/shared-labels.ts';
import { OptionList } from './option-list.tsx';
import type { ChoiceModel } from './read-choice.ts';

type ChoiceBodyProps = QuestionBodyProps & {
  tool: AnyTool;
  choice: ChoiceModel;
  submitLabel: string | undefined;
  autofocus: boolean;
};

export function ChoiceBody({
  tool,
  choice,
  prompt,
  severity,
  answer,
  submitLabel,
  autofocus,
}: ChoiceBodyProps) {
  const labels = useLabels(englishChoiceLabels);
  const id = useId();
  const picks = usePicks(tool, choice, answer);
  const empty = choice.options.length === 0;
  return (
    <>
      <QuestionHeader tool={tool} prompt={prompt} severity={severity} answer={answer} />
      {Object.keys(prompt.rest).length > 0 && (
        <Slot slotName="body" as="div" className="hr-body">
          <CallArguments tool={tool} rest={prompt.rest} />
        </Slot>
      )}
      <Slot
        slotName="form"
        as="form"
        className="hr-form"
        onSubmit={picks.submit}
        onKeyDown={picks.pickByNumber}
        noValidate
      >
        {empty ? (
          <p className="hr-faint">{labels.noOptions}</p>
        ) : (
          <OptionList
            id={id}
            listRef={picks.listRef}
            choice={choice}
            picked={picks.picked}
            error={picks.error}
            autofocus={autofocus}
            onPick={picks.pick}
          />
        )}
        <Announcement text={picks.error ?? ''} />
        <AnswerNotice state={answer.state} />
        <ChoiceFooter
          tool={tool}
          answer={answer}
          empty={empty}
          submitLabel={submitLabel}
          autofocus={autofocus}
        />
      </Slot>
    </>
  );
}

/** The picks of a person, as positions in `choice.options`, because two options may have equal values. */
function usePicks(tool: AnyTool, choice: ChoiceModel, answer: QuestionBodyProps['answer']) {
  const labels = useLabels(englishChoiceLabels);
  const { options, multiple, optional } = choice;
  const listRef = useRef<HTMLFieldSetElement>(null);
  const [picked, setPicked] = useState(() => {
    // A call that a test or a preview makes by hand may have no saved input.
    const saved = tool.getSavedInput?.();
    return Array.isArray(saved) ? saved.filter((index) => options[index]) : choice.initial;
  });
  const [error, setError] = useState<string>();
  const { isEarly } = useContext(ArmingContext);

  const focusOn = (attribute: string) =>
    listRef.current?.querySelector<HTMLInputElement>(`[${attribute}]`)?.focus();
  const pick = (index: number) => {
    setError(undefined);
    const others = picked.filter((other) => multiple && other !== index);
    // Pressing a picked option again, or the row "None", takes the pick back.
    const isTakenBack = index === NO_PICK || (multiple && others.length < picked.length);
    const next = isTakenBack ? others : [...others, index];
    setPicked(next);
    tool.saveInput?.(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = checkCount(choice, picked.length, labels);
    setError(problem);
    if (problem !== undefined) {
      focusOn('data-index');
      return;
    }
    const chosen = options.filter((_, index) => picked.includes(index));
    const said =
      chosen.length > 0 ? labels.outcomes.chose(chosen.map(({ label }) => label).join(', ')) : undefined;
    answer.submit(choice.toResult(chosen.map(({ value }) => value)), undefined, said);
  };
  const pickByNumber = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || options.length >= SEARCH_FROM) return;
    // The whole dialog listens to digits, so one may be meant for the page.
    if (!/^\d$/.test(event.key) || isComposing(event.nativeEvent) || isEarly()) return;
    // 0 picks the row "None".
    const index = Number(event.key) - 1;
    if (index === NO_PICK ? !optional : options[index] === undefined) return;
    event.preventDefault();
    pick(index);
    focusOn(`data-index="${index}"`);
  };
  return { listRef, picked, error, pick, submit, pickByNumber };
}

function checkCount(
  choice: ChoiceModel,
  count: number,
  labels: ChoiceLabels & SharedLabels,
): string | undefined {
  if (!choice.multiple) return count === 1 || choice.optional ? undefined : labels.choiceMissing;
  if (count < choice.min) return labels.choiceTooFew(choice.min);
  return choice.max !== undefined && count > choice.max ? labels.choiceTooMany(choice.max) : undefined;
}

function ChoiceFooter({
  tool,
  answer,
  empty,
  submitLabel,
  autofocus,
}: Pick<ChoiceBodyProps, 'tool' | 'answer' | 'submitLabel' | 'autofocus'> & { empty: boolean }) {
  const labels = useLabels(englishChoiceLabels);
  return (
    <Slot slotName="footer" as="div" className="hr-footer">
      {answer.state.status === 'gone' ? (
        <Button look="primary" onClick={answer.dismiss}>
          {labels.close}
        </Button>
      ) : (
        <div className="hr-actions">
          <Button answers onClick={() => answer.decline()} autofocus={autofocus && empty}>
            {readNoAnswer(tool, labels)}
          </Button>
          {!empty && (
            <Button type="submit" look="primary" aria-disabled={answer.state.status === 'settled'}>
              {submitLabel ?? tool.definition?.confirmLabel ?? labels.submit}
            </Button>
          )}
        </div>
      )}
    </Slot>
  );
}
