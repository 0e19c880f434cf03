/** `handrail/utp`: tools for agents of CommonGround, over NATS. For Node. */

export type { UtpResultStatus } from './backends/utp/build-tool-result.ts';
export type { AfterExecution, CallIdentity, UtpToolCall } from './backends/utp/call.ts';
export type { Card, CardStore } from './backends/utp/cards.ts';
export { createUtpToolService, type UtpToolService } from './backends/utp/create-utp-tool-service.ts';
export type { L0, ReportAnswer, ToolResultReport } from './backends/utp/l0.ts';
export type { UtpManagement } from './backends/utp/management.ts';
export type { UtpOpenCall } from './backends/utp/open-calls.ts';
export {
  createOpenApiTool,
  type OpenApiToolOptions,
} from './backends/utp/openapi/create-open-api-tool.ts';
export type { PendingCall, PendingCalls, PendingChange } from './backends/utp/pending-calls.ts';
export { createPostgresCards } from './backends/utp/postgres/create-postgres-cards.ts';
export { createPostgresL0 } from './backends/utp/postgres/create-postgres-l0.ts';
export { createUtpTables } from './backends/utp/postgres/create-utp-tables.ts';
export type { Database } from './backends/utp/postgres/database.ts';
export type { UtpToolServiceOptions } from './backends/utp/service-options.ts';
export { createUtpSession, type UtpSessionOptions } from './backends/utp/session/create-utp-session.ts';
export {
  StepFailure,
  type UtpFailure,
  type UtpFailureListener,
  type UtpStep,
} from './backends/utp/step-failure.ts';
export type { UtpAnswer } from './backends/utp/to-ending.ts';
export {
  type AppliedArguments,
  applyArgumentOptions,
} from './backends/utp/tool-definition/apply-argument-options.ts';
export { checkToolDefinition } from './backends/utp/tool-definition/check-tool-definition.ts';
export {
  type ModelArguments,
  parseModelArguments,
} from './backends/utp/tool-definition/parse-model-arguments.ts';
export {
  renderTargetSubject,
  type UtpTemplateFields,
} from './backends/utp/tool-definition/render-template.ts';
export { toModelParameters } from './backends/utp/tool-definition/to-model-parameters.ts';
export {
  type DescribedTool,
  toUtpToolDefinition,
  type UtpRegistration,
} from './backends/utp/tool-definition/to-utp-tool-definition.ts';
export {
  type UploadToolOptions,
  uploadToolDefinition,
} from './backends/utp/tool-definition/upload-tool-definition.ts';
export type {
  JsonSchema,
  UtpArgumentOptions,
  UtpToolDefinition,
  UtpToolOptions,
} from './backends/utp/tool-definition/utp-tool-definition.ts';
export { type EnvSources, withEnvs } from './backends/utp/tool-definition/with-envs.ts';
export { type UtpErrorCode, UtpToolError, type UtpToolErrorDetails } from './backends/utp/tool-error.ts';
export type { UtpReceipt } from './backends/utp/utp-receipt.ts';
export type {
  UtpInteractiveTool,
  UtpTool,
  UtpToolContext,
  UtpToolFunction,
  UtpTools,
} from './backends/utp/utp-tool.ts';
