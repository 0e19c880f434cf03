import type { UIMessage } from 'handrail';
import type { ReactNode } from 'react';
import { MessageView } from './message-view.tsx';

interface TranscriptProps {
  readonly messages: readonly UIMessage[];
  /** While an answer streams, screen readers wait for the whole of it. */
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

/** Turned upside down by its style, so that it stays at the end while text comes in, unless somebody scrolled up. */
export function Transcript({ messages, isBusy, children }: TranscriptProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="transcript" aria-label="Conversation" tabIndex={0}>
      <div className="transcript-column" role="log" aria-live="polite" aria-busy={isBusy}>
        {messages.length === 0 && <Welcome />}
        {messages.map((message) => (
          <MessageView key={message.id} message={message} />
        ))}
        {children}
      </div>
    </section>
  );
}

function Welcome() {
  return (
    <div className="welcome">
      <h2>An agent that asks before it acts</h2>
      <p>
        The agent runs on the server. Some of its tools run here, in your browser, and some wait for you. Pick
        something to try, then cut the connection in the middle of it.
      </p>
    </div>
  );
}
