import { type ButtonHTMLAttributes, forwardRef, type MouseEvent } from 'react';
import { joinWords } from './join-words.ts';
import { Slot } from './slot.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'icon';
  /** What a button without words is called, for ears and on hover. */
  readonly label?: string;
  /** Where the focus goes when the dialog opens. */
  readonly autofocus?: boolean;
}

/** A button that submits nothing unless it says so. */
export const Button = /* @__PURE__ */ forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { look = 'secondary', label, autofocus, className, type = 'button', ...rest },
  ref,
) {
  // A frame whose sandbox lacks `allow-forms`, as those of apps in a chat do, refuses a form before it asks the page.
  const submit = (event: MouseEvent<HTMLButtonElement>) => {
    event.preventDefault();
    event.currentTarget.form?.dispatchEvent(new Event('submit', { bubbles: true }));
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
