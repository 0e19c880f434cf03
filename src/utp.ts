/** `handrail/utp`: tools for agents of CommonGround, over NATS. For Node. */

export type { UtpResultStatus } from './utp/build-tool-result.ts';
export type { AfterExecution, CallIdentity, UtpToolCall } from './utp/call.ts';
export type { Card, CardStore } from './utp/cards.ts';
export { createUtpToolService, type UtpToolService } from './utp/create-utp-tool-service.ts';
export type { L0, ReportAnswer, ToolResultReport } from './utp/l0.ts';
export type { UtpOpenCall, UtpReceipt } from './utp/open-calls.ts';
export type { PendingCall, PendingCalls, PendingChange } from './utp/pending-calls.ts';
export { createPostgresCards } from './utp/postgres/create-postgres-cards.ts';
export { createPostgresL0 } from './utp/postgres/create-postgres-l0.ts';
export { createUtpTables } from './utp/postgres/create-utp-tables.ts';
export type { Database } from './utp/postgres/database.ts';
export type { UtpToolServiceOptions } from './utp/service-options.ts';
export { createUtpSession, type UtpSessionOptions } from './utp/session/create-utp-session.ts';
export { StepFailure, type UtpFailure, type UtpFailureListener, type UtpStep } from './utp/step-failure.ts';
export type { UtpAnswer } from './utp/to-ending.ts';
export { type AppliedArguments, applyArgumentOptions } from './utp/tool-definition/apply-argument-options.ts';
export { checkToolDefinition } from './utp/tool-definition/check-tool-definition.ts';
export { type ModelArguments, parseModelArguments } from './utp/tool-definition/parse-model-arguments.ts';
export { renderTargetSubject, type UtpTemplateFields } from './utp/tool-definition/render-template.ts';
export { toModelParameters } from './utp/tool-definition/to-model-parameters.ts';
export {
  type DescribedTool,
  toUtpToolDefinition,
  type UtpRegistration,
} from './utp/tool-definition/to-utp-tool-definition.ts';
export {
  type UploadToolOptions,
  uploadToolDefinition,
} from './utp/tool-definition/upload-tool-definition.ts';
export type {
  JsonSchema,
  UtpArgumentOptions,
  UtpToolDefinition,
  UtpToolOptions,
} from './utp/tool-definition/utp-tool-definition.ts';
export { type EnvSources, withEnvs } from './utp/tool-definition/with-envs.ts';
export { type UtpErrorCode, UtpToolError, type UtpToolErrorDetails } from './utp/tool-error.ts';
export type {
  UtpInteractiveTool,
  UtpTool,
  UtpToolContext,
  UtpToolFunction,
  UtpTools,
} from './utp/utp-tool.ts';
