/** What all pages show: the messages, the open questions, and a form. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

export interface ShownMessage {
  readonly id: string;
  readonly role: string;
  readonly text: string;
  readonly files?: readonly string[];
  readonly metadata?: unknown;
}

export interface ShownQuestion {
  readonly id: string;
  readonly text: string;
  allow(): void;
  decline(reason: string): void;
}

interface ViewProps {
  readonly isStill: boolean;
  readonly messages: readonly ShownMessage[];
  readonly questions: readonly ShownQuestion[];
  send(text: string, files: FileList | undefined): void;
}

export function View({ isStill, messages, questions, send }: ViewProps) {
  return (
    <main data-still={isStill}>
      <ul>
        {messages.map(({ id, role, text, files = [], metadata }) => (
          <li key={id} data-id={id} data-role={role} data-metadata={JSON.stringify(metadata)}>
            <p>{text}</p>
            {files.map((url) => (
              <a key={url} href={url}>
                file
              </a>
            ))}
          </li>
        ))}
      </ul>
      {questions.map(({ id, text, allow, decline }) => (
        <fieldset key={id}>
          <legend>{text}</legend>
          <button type="button" onClick={allow}>
            Allow
          </button>
          <button type="button" onClick={() => decline('too much')}>
            Decline
          </button>
        </fieldset>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const { elements } = event.currentTarget;
          const input = elements.namedItem('text') as HTMLInputElement;
          const { files } = elements.namedItem('files') as HTMLInputElement;
          send(input.value, files?.length ? files : undefined);
          event.currentTarget.reset();
        }}
      >
        <input name="text" aria-label="Message" />
        <input name="files" aria-label="Files" type="file" multiple />
        <button type="submit">Send</button>
      </form>
    </main>
  );
}

export function show(Page: () => React.ReactNode): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no #root.');
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}

/** Returns the messages that the app itself has stored. */
export async function readStored<Message>(): Promise<Message[]> {
  return (await fetch('/stored')).json();
}
