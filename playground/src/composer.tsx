import type { ChatStatus, ConnectionState } from 'handrail';
import { type FormEvent, type KeyboardEvent, type Ref, useState } from 'react';
import { SendIcon, StopIcon } from './icons.tsx';

interface ComposerProps {
  readonly inputRef: Ref<HTMLTextAreaElement>;
  readonly status: ChatStatus;
  readonly connectionState: ConnectionState | undefined;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
}

/** Enter sends, Shift+Enter makes a new line. */
export function Composer({ inputRef, status, connectionState, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState('');
  const isWaiting = status === 'awaiting-input';
  const canSend = !isWaiting && text.trim() !== '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canSend) return;
    onSend(text.trim());
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter picks a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    submit(event);
  };

  return (
    <form className="composer" onSubmit={submit} data-status={status}>
      <div className="composer-box">
        {/* Read-only and not disabled: a dialog gives the focus back to where it was, and that is here. */}
        <textarea
          ref={inputRef}
          rows={1}
          aria-label="Message"
          aria-describedby="composer-hint"
          placeholder={isWaiting ? 'A question is open' : 'Message the agent'}
          value={text}
          readOnly={isWaiting}
          aria-disabled={isWaiting}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {(status === 'streaming' || isWaiting) && (
          <button
            type="button"
            className="round"
            data-look="stop"
            aria-label="Stop"
            title="Stop"
            onClick={onStop}
          >
            <StopIcon />
          </button>
        )}
        <button
          type="submit"
          className="round"
          data-look="send"
          aria-label="Send"
          title="Send"
          aria-disabled={!canSend}
        >
          <SendIcon />
        </button>
      </div>
      <p id="composer-hint" className="composer-hint">
        <ConnectionWord state={connectionState} />
        <span>{describeStatus(status)}</span>
      </p>
    </form>
  );
}

function describeStatus(status: ChatStatus): string {
  switch (status) {
    case 'idle':
      return 'Enter sends, Shift+Enter starts a new line.';
    case 'streaming':
      return 'The agent is answering. Sending now interrupts it.';
    case 'awaiting-input':
      return 'The agent waits for your answer. Answer or cancel the question first.';
    case 'error':
      return 'The last answer failed. Try again, or send another message.';
    default:
      return status satisfies never;
  }
}

function ConnectionWord({ state }: { state: ConnectionState | undefined }) {
  if (state === undefined) return null;
  return (
    <span className="connection" data-state={state}>
      {state}
    </span>
  );
}
