import { type ButtonHTMLAttributes, forwardRef, type MouseEvent, useContext } from 'react';
import { ArmingContext, swallow } from '../hooks/use-arming.ts';
import { useSending } from '../hooks/use-sending.ts';
import { useLabels } from '../text/labels-context.tsx';
import { SpinnerIcon } from './icons.tsx';
import { joinWords } from './join-words.ts';
import { Slot } from './slot.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'icon' | 'link';
  /** The accessible name and tooltip of a button without text. */
  readonly label?: string;
  /** Gets the focus when the dialog opens. */
  readonly autofocus?: boolean;
  /** The press answers or leaves the question, so it waits until the question is armed. Default: true for a button that submits. */
  readonly answers?: boolean;
}

/** A button. Its default type is `button`, so that it does not submit a form around it. */
export const Button = /* @__PURE__ */ forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  {
    look = 'secondary',
    label,
    autofocus,
    className,
    type = 'button',
    answers = type === 'submit',
    onClick,
    children,
    ...rest
  },
  ref,
) {
  const { armed, isEarly } = useContext(ArmingContext);
  const labels = useLabels();
  const waits = answers && !armed;
  const sending = useSending();
  // The browser refuses to submit a form in a frame without `allow-forms`, as apps inside a chat have it, before it fires
  // the submit event. So the button fires the event itself.
  const submit = (event: MouseEvent<HTMLButtonElement>) => {
    event.preventDefault();
    // Cancelable: Firefox submits the form after such an event, which would load the page anew, unless its handler prevents that.
    event.currentTarget.form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  };
  const press = onClick ?? (type === 'submit' ? submit : undefined);
  const pressAnswer = (event: MouseEvent<HTMLButtonElement>) => {
    if (isEarly()) return swallow(event);
    sending.press();
    press?.(event);
  };
  return (
    <Slot
      slotName="button"
      as="button"
      aria-label={label}
      title={label}
      aria-description={waits ? labels.readySoon : undefined}
      {...rest}
      {...(waits && { 'aria-disabled': true, 'data-arming': 'arming' })}
      onClick={answers ? pressAnswer : press}
      data-sending={answers && sending.isShown ? '' : undefined}
      ref={ref}
      type={type}
      className={joinWords('hr-button', answers && 'hr-answer', className)}
      data-look={look}
      data-autofocus={autofocus === true ? '' : undefined}
    >
      {answers && sending.isShown ? (
        <>
          <SpinnerIcon />
          {labels.submitting}
        </>
      ) : (
        children
      )}
    </Slot>
  );
});
