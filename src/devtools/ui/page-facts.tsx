import type { ReactNode } from 'react';
import type { ChatTraceStep } from '../../core/chat/trace.ts';
import type { Recording } from '../recording.ts';

/** What is known of the page now: the request that is open, the tab that owns the chat, the storage, the connection. */
export function PageFacts({ recording }: { readonly recording: Recording }) {
  const { chatId, status, errorCode, messages, steps } = recording;
  const tab = lastOf(steps, 'tab-role-changed');
  const saved = lastOf(steps, 'snapshot-saved');
  const restored = lastOf(steps, 'snapshot-restored');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="list" aria-label="Page" tabIndex={0}>
      <dl>
        <Fact name="Chat">{chatId}</Fact>
        <Fact name="Status">{errorCode === undefined ? status : `${status} (${errorCode})`}</Fact>
        <Fact name="Messages">{messages}</Fact>
        <Fact name="Open requests">{describeOpen(steps)}</Fact>
        <Fact name="Connection">
          {lastOf(steps, 'connection-changed')?.state ?? 'none that outlives a request'}
        </Fact>
        <Fact name="Owner tab">{describeTab(tab?.role)}</Fact>
        <Fact name="In storage">
          {saved === undefined ? 'nothing was saved yet' : `${saved.size} characters`}
        </Fact>
        <Fact name="Restored">
          {restored === undefined ? 'nothing' : `${restored.messages} messages, ${restored.calls} open calls`}
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function describeTab(role: 'owner' | 'follower' | undefined): string {
  if (role === undefined) return 'this page alone has the chat';
  return role === 'owner' ? 'this tab' : 'another tab, which this one follows';
}

/** Returns the requests that have no end: the chat waits for them. */
function describeOpen(steps: readonly ChatTraceStep[]): string {
  const ended = new Set(steps.flatMap((step) => (step.type === 'response-ended' ? [step.request] : [])));
  const open = steps.flatMap((step) =>
    step.type === 'request-sent' && !ended.has(step.request) ? [`${step.command} (${step.request})`] : [],
  );
  return open.length === 0 ? 'none' : open.join(', ');
}

function lastOf<Type extends ChatTraceStep['type']>(
  steps: readonly ChatTraceStep[],
  type: Type,
): Extract<ChatTraceStep, { type: Type }> | undefined {
  return steps.findLast((step): step is Extract<ChatTraceStep, { type: Type }> => step.type === type);
}
