export type {
  CodeExecution,
  CodeExecutionError,
  CodeExecutionLog,
  CodeExecutionOptions,
  CodeExecutionResult,
  CodeExecutionStatus,
} from './sandbox/code-execution.ts';
export { createSandbox, type Sandbox, type SandboxSettings } from './sandbox/create-sandbox.ts';
export { runCode, sharedSandbox } from './sandbox/run-code.ts';
