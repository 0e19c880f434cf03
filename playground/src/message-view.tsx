import type { UIMessage, UIMessagePart } from 'handrail';
import { RunCodeCard } from 'handrail/sandbox';
import { memo } from 'react';
import { runCode } from './run-code.ts';
import { ToolCallView } from './tool-call-view.tsx';

/** Messages that did not change are the same objects, so only the streaming one renders. */
export const MessageView = memo(function MessageView({ message }: { message: UIMessage }) {
  const { role, status, parts } = message;
  return (
    <article className="message" data-role={role} data-status={status}>
      <h2 className="visually-hidden">{role === 'user' ? 'You' : 'Agent'}</h2>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
        <PartView key={index} part={part} />
      ))}
      {status === 'streaming' && parts.length === 0 && <span className="thinking">Thinking…</span>}
    </article>
  );
});

function PartView({ part }: { part: UIMessagePart }) {
  switch (part.type) {
    case 'text':
      return (
        <p className="text" data-status={part.status}>
          {part.text.trim()}
        </p>
      );
    case 'reasoning':
      return (
        <details className="reasoning" data-status={part.status}>
          <summary>{part.status === 'streaming' ? 'Thinking…' : 'Thought about it'}</summary>
          <p>{part.text}</p>
        </details>
      );
    case 'tool-call':
      if (part.toolName === 'run_code') return <RunCodeCard tool={runCode} part={part} />;
      return <ToolCallView part={part} />;
    case 'operation':
      return (
        <p className="aside" data-status={part.status}>
          {part.name}
        </p>
      );
    case 'source':
      return (
        <p className="aside">
          {part.sourceType === 'url' ? (
            <a href={part.url} rel="noreferrer" target="_blank">
              {part.title ?? part.url}
            </a>
          ) : (
            part.title
          )}
        </p>
      );
    case 'file':
      return (
        <p className="aside">
          <a href={part.url} rel="noreferrer" target="_blank">
            {part.filename ?? part.mediaType}
          </a>
        </p>
      );
    case 'object':
      return <pre className="object">{JSON.stringify(part.object ?? part.partial, null, 2)}</pre>;
    default:
      return part satisfies never;
  }
}
