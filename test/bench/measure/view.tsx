/** What every React candidate shows: memoised messages of memoised parts, as a careful app would write it. */
import { memo, type ReactNode, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Counts } from './candidate.ts';

interface PartLike {
  readonly type: string;
}
interface MessageLike<Part extends PartLike> {
  readonly id: string;
  readonly parts: readonly Part[];
}

export function createView<Part extends PartLike>(counts: Counts, textOf: (part: Part) => string) {
  const PartView = memo(function PartView({ part }: { part: Part }) {
    counts.partRenders += 1;
    return <p>{textOf(part)}</p>;
  });
  const MessageView = memo(function MessageView({ message }: { message: MessageLike<Part> }) {
    return (
      <article>
        {message.parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts only grow at the end
          <PartView key={index} part={part} />
        ))}
      </article>
    );
  });
  return function Messages({ messages }: { messages: readonly MessageLike<Part>[] }) {
    useLayoutEffect(() => {
      counts.commits += 1;
    });
    return messages.map((message) => <MessageView key={message.id} message={message} />);
  };
}

/** Mounts at once; the function takes it away. */
export function mount(node: ReactNode): () => void {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  flushSync(() => root.render(node));
  return () => {
    root.unmount();
    container.remove();
  };
}
