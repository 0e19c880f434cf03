import type { ComponentProps } from 'react';
import type { ToolCallStatus } from '../../core/state/message.ts';

/** Line icons, drawn on 20 by 20. Screen readers skip them, because the text beside them says the same. */
function Icon(path: ComponentProps<'path'>) {
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
    >
      <path {...path} />
    </svg>
  );
}

export function CloseIcon() {
  return <Icon d="M5.5 5.5l9 9m0-9l-9 9" />;
}

export function PlusIcon() {
  return <Icon d="M10 4.5v11M4.5 10h11" />;
}

export function UpIcon() {
  return <Icon d="M10 15.5v-11m-4.5 4.5L10 4.5 14.5 9" />;
}

export function DownIcon() {
  return <Icon d="M10 4.5v11m-4.5-4.5l4.5 4.5 4.5-4.5" />;
}

/** The mark of the product: a rail with its posts. */
export function RailMark() {
  return <Icon d="M2.8 9.4h1.6L15.6 5h1.6M4.4 9.4v5.2M10 7.2v5.2M15.6 5v5.2" strokeWidth="1.9" />;
}

/** Goes with the word of a severity. A neutral question has none, so that the others stand out. */
export function SeverityIcon() {
  return <Icon d="M10 3.2l7.4 13H2.6zM10 8.2v3.6m0 2.2v.1" />;
}

export function ClockIcon() {
  return <Icon d="M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM10 6v4l2.6 1.6" />;
}

export function NoteIcon() {
  return (
    <Icon d="M4.8 4h10.4A1.3 1.3 0 0 1 16.5 5.3v7.4a1.3 1.3 0 0 1-1.3 1.3H8l-4.5 3V5.3A1.3 1.3 0 0 1 4.8 4z" />
  );
}

export function CopyIcon() {
  return (
    <Icon d="M8.3 7h7.4A1.3 1.3 0 0 1 17 8.3v7.4a1.3 1.3 0 0 1-1.3 1.3H8.3A1.3 1.3 0 0 1 7 15.7V8.3A1.3 1.3 0 0 1 8.3 7zM4.6 13A1.6 1.6 0 0 1 3 11.4V4.6A1.6 1.6 0 0 1 4.6 3h6.8A1.6 1.6 0 0 1 13 4.6" />
  );
}

export function MoreIcon({ isAbove = false }: { isAbove?: boolean }) {
  return <Icon d={isAbove ? 'M5.5 12.2L10 7.7l4.5 4.5' : 'M5.5 7.8l4.5 4.5 4.5-4.5'} />;
}

export function LinkIcon() {
  return (
    <Icon d="M8.5 11.5l3-3M9.5 6.5l1.6-1.6a2.8 2.8 0 0 1 4 4L13.5 10.5M10.5 13.5l-1.6 1.6a2.8 2.8 0 0 1-4-4L6.5 9.5" />
  );
}

export function FileIcon() {
  return (
    <Icon d="M11.5 3h-5A1.5 1.5 0 0 0 5 4.5v11A1.5 1.5 0 0 0 6.5 17h7a1.5 1.5 0 0 0 1.5-1.5v-9zM11.5 3v3.5H15" />
  );
}

export function StopIcon() {
  return <Icon d="M6 6h8v8H6z" fill="currentColor" />;
}

export function AttachIcon() {
  return (
    <Icon d="M14.5 9.5l-5 5a2.9 2.9 0 0 1-4.1-4.1l5.6-5.6a1.95 1.95 0 0 1 2.75 2.75l-5.4 5.4a.95.95 0 0 1-1.35-1.35l4.7-4.7" />
  );
}

export function SearchIcon() {
  return <Icon d="M13.2 13.2l3.6 3.6M14.6 9a5.6 5.6 0 1 1-11.2 0 5.6 5.6 0 0 1 11.2 0z" />;
}

export function RetryIcon() {
  return <Icon d="M15.5 10a5.5 5.5 0 1 1-1.7-4l1.7 1.6m0-3.6v3.6h-3.6" />;
}

/** An arrow that turns back: a change is taken back. */
export function UndoIcon() {
  return <Icon d="M7.5 4.5L4 8l3.5 3.5M4.3 8h7.2a4.2 4.2 0 0 1 0 8.4H8.5" />;
}

export function BinIcon() {
  return <Icon d="M4.5 6h11M8 6V4h4v2m2.3 0l-.6 10H6.3L5.7 6M8.6 9v4.2m2.8-4.2v4.2" />;
}

/** The button beside it shows what is hidden, or hides it. */
export function EyeIcon({ isOpen }: { isOpen: boolean }) {
  const eye =
    'M2.5 10s2.7-5 7.5-5 7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5zM12.2 10a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0z';
  return <Icon d={isOpen ? eye : `${eye}M4 4l12 12`} />;
}

export function LockIcon() {
  return <Icon d="M5.5 9h9v7h-9zM7.2 9V6.8a2.8 2.8 0 0 1 5.6 0V9" />;
}

/** A cloud with a line through it: nothing goes out. */
export function OfflineIcon() {
  return (
    <Icon d="M3 3l14 14M7.2 7.1A4.6 4.6 0 0 0 5.6 15.5h8.9M16.6 14.3A3.6 3.6 0 0 0 14.3 8.2 4.7 4.7 0 0 0 9.6 5.6" />
  );
}

export function CheckIcon() {
  return <Icon d="M4.5 10.5l3.6 3.6 7.4-8" />;
}

/** Something is on its way. */
export function SpinnerIcon() {
  return <Icon className="hr-spinner" d="M10 3.5A6.5 6.5 0 1 1 3.5 10" />;
}

/** The sign of the product: the rail with its posts. */
export function BridgeIcon() {
  return <Icon d="M2.5 7.5l15-3M4.5 7.1v6m5.5-7v6m5.5-7v6" />;
}

/** The status of a call. */
export function StatusIcon({ status }: { status: ToolCallStatus }) {
  return (
    <span className="hr-status-icon">
      <Icon {...drawStatus(status)} />
    </span>
  );
}

/** The mark of a task. Nothing in it moves, because a list stays as it was when the agent is stopped. */
export function TaskIcon({ status }: { status: string }) {
  return (
    <span className="hr-status-icon">
      <Icon d={TASK_PATHS.get(status) ?? 'M10 15.5a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11z'} />
    </span>
  );
}

const TASK_PATHS: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['in_progress', 'M4.5 10h11m-4.5-4.5l4.5 4.5-4.5 4.5'],
  ['completed', 'M4.5 10.5l3.6 3.6 7.4-8'],
  ['cancelled', 'M5.5 10h9'],
]);

function drawStatus(status: ToolCallStatus): ComponentProps<'path'> {
  switch (status) {
    case 'pending':
    case 'running':
      return { className: 'hr-spinner', d: 'M10 3.5A6.5 6.5 0 1 1 3.5 10' };
    case 'done':
      return { d: 'M4.5 10.5l3.6 3.6 7.4-8' };
    case 'error':
      return { d: 'M10 4.5v6.5m0 3.9v.1', strokeWidth: '2' };
    case 'cancelled':
      return { d: 'M5.5 10h9' };
    default:
      return status satisfies never;
  }
}
