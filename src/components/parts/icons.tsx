import type { ReactNode } from 'react';
import type { ConfirmationTone } from '../../store/client-tools.ts';

/** Line icons, drawn on 20 by 20. All are decoration: the words beside them say the same. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      className="hr-icon"
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export function CloseIcon() {
  return (
    <Icon>
      <path d="M5.5 5.5l9 9m0-9l-9 9" />
    </Icon>
  );
}

export function PlusIcon() {
  return (
    <Icon>
      <path d="M10 4.5v11M4.5 10h11" />
    </Icon>
  );
}

export function UpIcon() {
  return (
    <Icon>
      <path d="M10 15.5v-11m-4.5 4.5L10 4.5 14.5 9" />
    </Icon>
  );
}

export function DownIcon() {
  return (
    <Icon>
      <path d="M10 4.5v11m-4.5-4.5l4.5 4.5 4.5-4.5" />
    </Icon>
  );
}

/** A neutral question has no sign: a sign on everything is read on nothing. */
export function ToneIcon({ tone }: { tone: ConfirmationTone }) {
  if (tone === 'neutral') return null;
  return (
    <span className="hr-tone-mark" data-tone={tone}>
      <Icon>
        {tone === 'destructive' ? (
          <>
            <path d="M10 3.2l7.4 13H2.6z" />
            <path d="M10 8.2v3.6m0 2.2v.1" />
          </>
        ) : (
          <>
            <circle cx="10" cy="10" r="7.2" />
            <path d="M10 6.3v4.5m0 2.6v.1" />
          </>
        )}
      </Icon>
    </span>
  );
}
