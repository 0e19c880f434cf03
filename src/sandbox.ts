export type {
  CodeExecution,
  CodeExecutionError,
  CodeExecutionLog,
  CodeExecutionOptions,
  CodeExecutionResult,
  CodeExecutionStatus,
} from './sandbox/code-execution.ts';
export {
  createSandbox,
  runCode,
  type Sandbox,
  type SandboxSettings,
  sharedSandbox,
} from './sandbox/create-sandbox.ts';
export type { RunCodeResult } from './sandbox/to-agent-result.ts';
export { RunCodeCard, type RunCodeCardProps } from './sandbox/ui/run-code-card.tsx';
export { englishRunCodeLabels, type RunCodeLabels } from './sandbox/ui/run-code-labels.ts';
export { type RunCodeArgs, type RunCodeToolOptions, runCodeInput } from './sandbox/ui/run-code-setup.ts';
export { type RunCodeTool, runCodeTool } from './sandbox/ui/run-code-tool.ts';
