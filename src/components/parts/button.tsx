import { type ButtonHTMLAttributes, forwardRef } from 'react';
import { joinWords } from './join-words.ts';
import { Part } from './part.tsx';

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
  return (
    <Part
      partName="button"
      as="button"
      aria-label={label}
      title={label}
      {...rest}
      ref={ref}
      type={type}
      className={joinWords('hr-button', className)}
      data-look={look}
      data-autofocus={autofocus === true ? '' : undefined}
    />
  );
});
