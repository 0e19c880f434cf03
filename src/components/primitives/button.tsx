import { type ButtonHTMLAttributes, forwardRef, type MouseEvent } from 'react';
import { joinWords } from './join-words.ts';
import { Slot } from './slot.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'icon';
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
