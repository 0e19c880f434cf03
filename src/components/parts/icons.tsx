import type { ReactNode } from 'react';
import type { ToolCallStatus } from '../../state/message.ts';
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

export function LinkIcon() {
  return (
    <Icon>
      <path d="M8.5 11.5l3-3M9.5 6.5l1.6-1.6a2.8 2.8 0 0 1 4 4L13.5 10.5M10.5 13.5l-1.6 1.6a2.8 2.8 0 0 1-4-4L6.5 9.5" />
    </Icon>
  );
}

export function FileIcon() {
  return (
    <Icon>
      <path d="M11.5 3h-5A1.5 1.5 0 0 0 5 4.5v11A1.5 1.5 0 0 0 6.5 17h7a1.5 1.5 0 0 0 1.5-1.5v-9zM11.5 3v3.5H15" />
    </Icon>
  );
}

export function SendIcon() {
  return (
    <Icon>
      <path d="M10 16V4.5m-5 5l5-5 5 5" />
    </Icon>
  );
}

export function StopIcon() {
  return (
    <Icon>
      <rect x="5.5" y="5.5" width="9" height="9" rx="1.5" fill="currentColor" />
    </Icon>
  );
}

export function AttachIcon() {
  return (
    <Icon>
      <path d="M14.5 9.5l-5 5a2.9 2.9 0 0 1-4.1-4.1l5.6-5.6a1.95 1.95 0 0 1 2.75 2.75l-5.4 5.4a.95.95 0 0 1-1.35-1.35l4.7-4.7" />
    </Icon>
  );
}

export function SearchIcon() {
  return (
    <Icon>
      <path d="M13.2 13.2l3.6 3.6M14.6 9a5.6 5.6 0 1 1-11.2 0 5.6 5.6 0 0 1 11.2 0z" />
    </Icon>
  );
}

export function RetryIcon() {
  return (
    <Icon>
      <path d="M15.5 10a5.5 5.5 0 1 1-1.7-4l1.7 1.6m0-3.6v3.6h-3.6" />
    </Icon>
  );
}

/** How a call stands. The word beside it says the same. */
export function StatusIcon({ status }: { status: ToolCallStatus }) {
  return (
    <span className="hr-status-icon">
      <Icon>{drawStatus(status)}</Icon>
    </span>
  );
}

function drawStatus(status: ToolCallStatus): ReactNode {
  switch (status) {
    case 'pending':
    case 'running':
      return <path className="hr-spinner" d="M10 3.5A6.5 6.5 0 1 1 3.5 10" />;
    case 'done':
      return <path d="M4.5 10.5l3.6 3.6 7.4-8" />;
    case 'error':
      return <path d="M10 4.5v6.5m0 3.9v.1" strokeWidth="2" />;
    case 'cancelled':
      return <path d="M5.5 10h9" />;
    default:
      return status satisfies never;
  }
}
