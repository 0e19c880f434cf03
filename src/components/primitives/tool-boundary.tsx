import { Component, createContext, type ReactNode, useContext } from 'react';
import { describeThrown } from '../../shared/errors.ts';
import { type AnyTool, callKey } from './any-tool.ts';
import { reportFailure } from './report-failure.ts';

export interface ToolBoundaryProps {
  readonly tool: AnyTool;
  /** Told after the call was cancelled. */
  readonly onError?: ((error: unknown, tool: AnyTool) => void) | undefined;
  readonly children: ReactNode;
}

/**
 * A dialog that fails must take neither the app with it nor the agent: the call is cancelled with the reason,
 * the error reported, and the page goes on.
 */
export class ToolBoundary extends Component<ToolBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    const { tool, onError = reportFailure } = this.props;
    tool.cancel(`The dialog for ${tool.toolName} failed: ${describeThrown(error, 'unknown error')}`);
    onError(error, tool);
  }

  override render() {
    if (this.state.failed) return null;
    return <GuardedContext.Provider value={true}>{this.props.children}</GuardedContext.Provider>;
  }
}

const GuardedContext = /* @__PURE__ */ createContext(false);

/** The boundary of a question that stands alone. Inside a queue the queue's own catches, and tells the person. */
export function QuestionBoundary(props: ToolBoundaryProps) {
  const isGuarded = useContext(GuardedContext);
  // Another call is another question, also after one that failed.
  return isGuarded ? props.children : <ToolBoundary key={callKey(props.tool)} {...props} />;
}
