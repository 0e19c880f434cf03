import { type ComponentType, createContext, useContext, useState } from 'react';
import type { ToolCallPart } from '../../core/state/message.ts';
import type { InteractiveTool } from '../../core/tools/client-tool.ts';
import type { ToolRendererProps } from './transcript-renderers.ts';

/** The calls of the chat that wait for a person. */
export const PendingToolsContext = /* @__PURE__ */ createContext<readonly InteractiveTool[]>([]);

/** A call rendered by the app's component for its tool. */
export function CustomToolCall({
  component: Component,
  part,
  waiting,
}: {
  component: ComponentType<ToolRendererProps>;
  part: ToolCallPart;
  /** The call waits for a person. */
  waiting: boolean;
}) {
  const pending = useContext(PendingToolsContext);
  const [wereComplete, setWereComplete] = useState(false);
  const areComplete = wereComplete || hasCompleteArgs(part);
  if (areComplete !== wereComplete) setWereComplete(areComplete);
  return (
    <Component
      part={part}
      args={areComplete ? part.args : undefined}
      partialArgs={part.args}
      status={part.status}
      result={part.result}
      tool={waiting ? pending.find(({ toolCallId }) => toolCallId === part.toolCallId) : undefined}
    />
  );
}

/**
 * A turn that ends while arguments stream leaves a `cancelled` part with half of them. Only a part that names its outcome
 * or where it ran is known to have had all of them.
 */
function hasCompleteArgs({ status, outcome, executedBy }: ToolCallPart): boolean {
  if (status === 'cancelled') return outcome !== undefined || executedBy !== undefined;
  return status !== 'pending';
}
