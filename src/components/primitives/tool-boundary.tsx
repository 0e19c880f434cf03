import { Component, createContext, type ReactNode, useContext } from 'react';
import { describeThrown } from '../../shared/errors.ts';
import { reportThrown } from '../../shared/report-thrown.ts';
import { type AnyTool, callKey } from '../any-tool.ts';

export interface ToolBoundaryProps {
  readonly tool: AnyTool;
  /** Called when the dialog threw, after its call was settled as `failed`. Default: `reportError`. */
  readonly onError?: ((error: unknown, tool: AnyTool) => void) | undefined;
  readonly children: ReactNode;
}

/**
 * Catches errors of a dialog, so that neither the app nor the agent stops: settles the call as `failed`, reports the error, and
 * renders nothing.
 */
export class ToolBoundary extends Component<ToolBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    const { tool, onError = reportThrown } = this.props;
    const reason = `The dialog for ${tool.toolName} failed: ${describeThrown(error, 'unknown error')}`;
    // No person has cancelled the call, but a call that is made by hand may have no other way to end.
    if (tool.fail) tool.fail(reason);
    else tool.cancel(reason);
    onError(error, tool);
  }

  override render() {
    if (this.state.failed) return null;
    return (
      <InsideBoundaryContext.Provider value={true}>{this.props.children}</InsideBoundaryContext.Provider>
    );
  }
}

const InsideBoundaryContext = /* @__PURE__ */ createContext(false);

/** Wraps a question in a `ToolBoundary`, unless it is inside one: `ClientToolDialogs` has its own, which also tells the person. */
export function QuestionBoundary(props: ToolBoundaryProps) {
  const isInside = useContext(InsideBoundaryContext);
  // The key resets the boundary for the next call after a call whose dialog failed.
  return isInside ? props.children : <ToolBoundary key={callKey(props.tool)} {...props} />;
}
