import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { ConfirmationTone } from '../../store/client-tools.ts';
import { AnswerNotice } from '../parts/answer-notice.tsx';
import type { AnyTool } from '../parts/any-tool.ts';
import { ArgumentsView } from '../parts/arguments-view.tsx';
import { Button } from '../parts/button.tsx';
import { CallDetails } from '../parts/call-details.tsx';
import { Countdown } from '../parts/countdown.tsx';
import { SurfaceHeader } from '../parts/surface-header.tsx';
import type { Answer } from '../parts/use-answer.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { ToolPrompt } from '../text/tool-prompt.ts';
import { DeclineForm } from './decline-form.tsx';
import { WordField } from './word-field.tsx';

export interface ConfirmationBodyProps {
  readonly tool: AnyTool;
  readonly prompt: ToolPrompt;
  readonly tone: ConfirmationTone;
  readonly confirmWord: string | undefined;
  readonly answer: Answer;
}

/**
 * A yes/no question. Three ways out that the agent can tell apart: Confirm submits, Decline answers no, and
 * everything else (Escape, the backdrop, the cross) cancels.
 */
export function ConfirmationBody({ tool, prompt, tone, confirmWord, answer }: ConfirmationBodyProps) {
  const labels = useLabels();
  const [step, setStep] = useState<'ask' | 'reason' | 'ask-again'>('ask');
  const { state } = answer;
  return (
    <>
      <SurfaceHeader
        title={prompt.title}
        message={prompt.message}
        tone={tone}
        onDismiss={answer.dismiss}
        aside={tool.expiresAt !== undefined && <Countdown expiresAt={tool.expiresAt} />}
      />
      <div className="hr-body">
        <ArgumentsView value={prompt.rest} />
        <CallDetails tool={tool} />
        <AnswerNotice state={state} />
      </div>
      {state.word === 'gone' ? (
        <footer className="hr-footer">
          <Button look="primary" onClick={answer.dismiss}>
            {labels.close}
          </Button>
        </footer>
      ) : step === 'reason' ? (
        <DeclineForm
          onBack={() => setStep('ask-again')}
          onDecline={(reason) => answer.decline(reason, { confirmed: false })}
        />
      ) : (
        <ConfirmActions
          tone={tone}
          confirmWord={confirmWord}
          busy={state.word === 'settled'}
          again={tool.asks === 'rerun'}
          answer={answer}
          focusReason={step === 'ask-again'}
          onReason={() => setStep('reason')}
        />
      )}
    </>
  );
}

function ConfirmActions({
  tone,
  confirmWord,
  busy,
  again,
  answer,
  focusReason,
  onReason,
}: {
  tone: ConfirmationTone;
  confirmWord: string | undefined;
  busy: boolean;
  /** The question is whether to run it a second time. */
  again: boolean;
  answer: Answer;
  /** The person came back from giving a reason: the focus goes on where it left. */
  focusReason: boolean;
  onReason: () => void;
}) {
  const labels = useLabels();
  const wordId = useId();
  const wordRef = useRef<HTMLInputElement>(null);
  const [word, setWord] = useState('');
  const [wordMissing, setWordMissing] = useState(false);
  const reasonRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focusReason) reasonRef.current?.focus();
  }, [focusReason]);

  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (confirmWord !== undefined && word.trim() !== confirmWord) {
      setWordMissing(true);
      wordRef.current?.focus();
    } else if (!busy) {
      answer.submit({ confirmed: true });
    }
  };
  return (
    <form className="hr-form" onSubmit={confirm} noValidate>
      {confirmWord !== undefined && (
        <WordField
          id={wordId}
          inputRef={wordRef}
          confirmWord={confirmWord}
          word={word}
          missing={wordMissing}
          onChange={(next) => {
            setWord(next);
            setWordMissing(false);
          }}
        />
      )}
      <footer className="hr-footer" data-spread="">
        <Button look="quiet" ref={reasonRef} onClick={onReason} aria-disabled={busy}>
          {labels.declineWithReason}
        </Button>
        <div className="hr-actions">
          <Button
            onClick={() => answer.decline(undefined, { confirmed: false })}
            autofocus={tone !== 'neutral'}
            aria-disabled={busy}
          >
            {again ? labels.doNotRerun : labels.decline}
          </Button>
          <Button
            type="submit"
            look="primary"
            data-tone={tone}
            autofocus={tone === 'neutral' && confirmWord === undefined}
            aria-disabled={busy}
          >
            {again ? labels.rerun : labels.confirm}
          </Button>
        </div>
      </footer>
    </form>
  );
}
