import { type ButtonHTMLAttributes, forwardRef, type MouseEvent, useContext } from 'react';
import { ArmingContext, SurfaceContext } from '../hooks/surface-context.ts';
import { joinWords } from './join-words.ts';
import { Slot } from './slot.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'icon' | 'link';
  /** The accessible name and tooltip of a button without text. */
  readonly label?: string;
  /** Gets the focus when the dialog opens. */
  readonly autofocus?: boolean;
}

/** A button. Its default type is `button`, so that it does not submit a form around it. */
export const Button = /* @__PURE__ */ forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { look = 'secondary', label, autofocus, className, type = 'button', ...rest },
  ref,
) {
  // The browser refuses to submit a form in a frame without `allow-forms`, as apps inside a chat have it, before it fires
  // the submit event. So the button fires the event itself.
  const submit = (event: MouseEvent<HTMLButtonElement>) => {
    event.preventDefault();
    // Cancelable: Firefox submits the form after such an event, which would load the page anew, unless its handler prevents that.
    event.currentTarget.form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  };
  return (
    <Slot
      slotName="button"
      as="button"
      aria-label={label}
      title={label}
      onClick={type === 'submit' ? submit : undefined}
      {...rest}
      ref={ref}
      type={type}
      className={joinWords('hr-button', className)}
      data-look={look}
      data-autofocus={autofocus === true ? '' : undefined}
    />
  );
});

/**
 * A button that answers a question. While its dialog does not accept answers yet, it says so. It stays in the tab order, and the
 * dialog itself drops a press that comes too early.
 */
export const AnswerButton = /* @__PURE__ */ forwardRef<HTMLButtonElement, ButtonProps>(function AnswerButton(
  { className, ...rest },
  ref,
) {
  const isArming = useContext(ArmingContext);
  const armingId = useContext(SurfaceContext)?.armingId;
  const described = rest['aria-describedby'];
  return (
    <Button
      {...rest}
      ref={ref}
      className={joinWords('hr-answer', className)}
      aria-disabled={isArming || rest['aria-disabled']}
      aria-describedby={isArming ? joinWords(described, armingId) : described}
    />
  );
});
