/** L0: the layer of CommonGround that takes reports of tools into the inbox of the agent that waits. */

/** A report that a tool call has its result. */
export interface ToolResultReport {
  readonly projectId: string;
  readonly channelId: string;
  /** The actor that reports. It must be the author of the result card. */
  readonly sourceAgentId: string;
  /** The agent that waits for the result. */
  readonly targetAgentId: string;
  readonly agentTurnId: string;
  readonly turnEpoch: number;
  readonly toolCallId: string;
  readonly recursionDepth: number;
  /** A child span of the command's `traceparent`. */
  readonly traceparent: string;
  readonly stepId?: string;
  readonly messageType: 'tool_result' | 'timeout';
  /** The callback payload. It has no other keys: an inline result fails the turn. */
  readonly payload: {
    readonly after_execution: 'suspend' | 'terminate';
    readonly status: string;
    readonly tool_result_card_id: string;
  };
}

/**
 * The answer of L0. `wakeup` names the worker that runs the agent now, which differs from call to call. A rejected report has one if the
 * call has been reported before: the process that did so may have died before it woke the worker.
 */
export type ReportAnswer =
  | { readonly ack: 'accepted'; readonly wakeup?: { readonly workerTarget: string } }
  | {
      readonly ack: 'busy' | 'rejected' | 'error';
      readonly code: string;
      readonly message: string;
      readonly wakeup?: { readonly workerTarget: string };
    };

/** Takes a report in one transaction: the checks of the protocol, the inbox row and the response edge. Rejects if it cannot be reached. */
export interface L0 {
  report(report: ToolResultReport): Promise<ReportAnswer>;
}
