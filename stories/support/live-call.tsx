import { Fragment, type ReactNode, useMemo, useState } from 'react';
import type { AnyTool } from '../../src/components/any-tool.ts';
import type { Settlement } from '../../src/core/tools/client-tool.ts';
import { type ExampleCall, exampleCalls } from './example-calls.ts';
import { createStoryTool } from './story-tool.ts';

/** Props for {@link LiveCall} stories besides the props of their component. */
export interface LiveCallArgs {
  /** The call of the agent. This control belongs to the page, not to the component. */
  readonly call: ExampleCall;
}

/** The control of {@link LiveCallArgs} for `argTypes`. The `tool` prop comes from it. */
export function liveCallArgTypes(...calls: readonly ExampleCall[]) {
  return {
    call: { control: 'select', options: calls, table: { category: 'This page' } },
    tool: { control: false },
    onSettled: { control: false },
    labels: { control: 'object' },
    severity: { control: 'inline-radio', options: ['neutral', 'caution', 'destructive'] },
    container: { control: false },
  } as const;
}

/** Makes a call on a press, and shows the answer that the agent got. */
export function LiveCall({
  call,
  children,
}: LiveCallArgs & { readonly children: (tool: AnyTool) => ReactNode }) {
  const [callCount, setCallCount] = useState(0);
  const [answer, setAnswer] = useState('nothing yet');
  const tool = useMemo(
    () =>
      watchAnswers(createStoryTool({ ...exampleCalls[call], toolCallId: `${call} ${callCount}` }), setAnswer),
    [call, callCount],
  );
  return (
    <div className="story-live">
      <button type="button" onClick={() => setCallCount(callCount + 1)}>
        Let the agent ask
      </button>
      {callCount > 0 && <Fragment key={tool.toolCallId}>{children(tool)}</Fragment>}
      <p role="status">
        The agent heard: <code>{answer}</code>
      </p>
    </div>
  );
}

function watchAnswers(tool: AnyTool, onAnswer: (answer: string) => void): AnyTool {
  const notify = (settlement: Settlement, answer: string) => {
    if (settlement.settled) onAnswer(answer);
    return settlement;
  };
  return {
    ...tool,
    submit: (result) => notify(tool.submit(result), `submitted ${JSON.stringify(result)}`),
    decline: (reason, details) => notify(tool.decline(reason, details), `declined ${reason ?? ''}`.trim()),
    cancel: (reason) => notify(tool.cancel(reason), 'cancelled'),
  };
}
