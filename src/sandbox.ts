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
export type { RunCodeResult } from './sandbox/to-agent-result.ts';
export { RunCodeCard, type RunCodeCardProps } from './sandbox/ui/run-code-card.tsx';
export { type RunCodeArgs, runCodeInput } from './sandbox/ui/run-code-input.ts';
export { englishRunCodeLabels, type RunCodeLabels } from './sandbox/ui/run-code-labels.ts';
export type { RunCodeToolOptions } from './sandbox/ui/run-code-setup.ts';
export { type RunCodeTool, runCodeTool } from './sandbox/ui/run-code-tool.ts';
