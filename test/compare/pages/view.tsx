/** All pages show this: the messages, the open questions with their arguments, the error, and a form. */
import { createRoot } from 'react-dom/client';

export interface ShownQuestion {
  readonly id: string;
  readonly args: unknown;
  allow(): void;
  decline(): void;
  /** Allows the call with another amount. Absent where the library has no way to do so. */
  readonly allowWith?: ((amount: number) => void) | undefined;
}

interface ViewProps {
  readonly isStill: boolean;
  readonly messages: readonly { readonly id: string; readonly text: string }[];
  readonly questions: readonly ShownQuestion[];
  readonly error: string | undefined;
  send(text: string): void;
  stop(): void;
  retry(): void;
}

export function View({ isStill, messages, questions, error, send, stop, retry }: ViewProps) {
  return (
    <main data-still={isStill}>
      <ul>
        {messages.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      {questions.map(({ id, args, allow, decline, allowWith }) => (
        <fieldset key={id}>
          <legend>{JSON.stringify(args)}</legend>
          <button type="button" onClick={allow}>
            Allow
          </button>
          <button type="button" onClick={decline}>
            Decline
          </button>
          {allowWith && (
            <button type="button" onClick={() => allowWith(2)}>
              Allow with 2
            </button>
          )}
        </fieldset>
      ))}
      {error !== undefined && (
        <div role="alert">
          {error}
          <button type="button" onClick={retry}>
            Try again
          </button>
        </div>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const input = event.currentTarget.elements.namedItem('text') as HTMLInputElement;
          send(input.value);
          event.currentTarget.reset();
        }}
      >
        <input name="text" aria-label="Message" />
        <button type="submit">Send</button>
        <button type="button" onClick={stop}>
          Stop
        </button>
      </form>
    </main>
  );
}

export function show(Page: () => React.ReactNode): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no #root.');
  createRoot(root).render(<Page />);
}

/** Returns the messages that the route has stored. */
export async function readStored<Message>(): Promise<Message[]> {
  return (await fetch('/stored')).json();
}
