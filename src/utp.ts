/** `handrail/utp`: tools for agents of CommonGround, over NATS. For Node. */

export type { UtpResultStatus } from './utp/build-tool-result.ts';
export type { AfterExecution, CallIdentity, UtpToolCall } from './utp/call.ts';
export type { Card, CardStore } from './utp/cards.ts';
export { createUtpToolService, type UtpToolService } from './utp/create-utp-tool-service.ts';
export type { L0, ReportAnswer, ToolResultReport } from './utp/l0.ts';
export type { UtpOpenCall, UtpReceipt } from './utp/open-calls.ts';
export type { PendingCall, PendingCalls, PendingChange } from './utp/pending-calls.ts';
export type { UtpToolServiceOptions } from './utp/service-options.ts';
export { StepFailure, type UtpFailure, type UtpFailureListener, type UtpStep } from './utp/step-failure.ts';
export type { UtpAnswer } from './utp/to-ending.ts';
export { type UtpErrorCode, UtpToolError, type UtpToolErrorDetails } from './utp/tool-error.ts';
export type {
  UtpInteractiveTool,
  UtpTool,
  UtpToolContext,
  UtpToolFunction,
  UtpTools,
} from './utp/utp-tool.ts';
