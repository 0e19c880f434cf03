import type { InteractiveTool, InteractiveToolDefinition } from '../../core/tools/client-tool.ts';
import { defineClientTool } from '../../core/tools/define-client-tool.ts';
import type { Typed } from '../../core/tools/typed-tools.ts';
import { createRunBook } from '../create-run-book.ts';
import { runCode } from '../create-sandbox.ts';
import type { RunCodeResult } from '../to-agent-result.ts';
import { RunCodeQuestion } from './run-code-question.tsx';
import {
  type RunCodeArgs,
  type RunCodeSetup,
  type RunCodeToolOptions,
  runCodeInput,
} from './run-code-setup.ts';

/** The tool that {@link runCodeTool} returns. */
export type RunCodeTool = InteractiveToolDefinition &
  Typed<RunCodeArgs, RunCodeResult> & { readonly runCode: RunCodeSetup };

const DEFAULT_RUN_TIMEOUT_MS = 60_000;

/**
 * Creates a client tool that runs code of the agent in the sandbox after a person has consented.
 *
 * The dialog shows the code and all its capabilities. After consent the code runs with live reports and a stop button, in
 * the dialog or in a `RunCodeCard` of the transcript. The agent gets a {@link RunCodeResult}, even if the run fails. If the
 * person refuses, the call is declined.
 *
 * @throws TypeError when `runTimeoutMs` is out of range.
 *
 * @example
 * ```ts
 * const clientTools = {
 *   'run-code': runCodeTool({ globals: { orders: { list: () => api.listOrders() } } }),
 * };
 * ```
 */
export function runCodeTool(options: RunCodeToolOptions = {}): RunCodeTool {
  const {
    title = options.labels?.title ?? 'Run code',
    description,
    severity = 'caution',
    run = runCode,
    runTimeoutMs = DEFAULT_RUN_TIMEOUT_MS,
  } = options;
  if (!(runTimeoutMs > 0))
    throw new TypeError(`runTimeoutMs must be more than zero milliseconds, not ${runTimeoutMs}`);
  const definition = defineClientTool({
    title,
    ...(description !== undefined && { description }),
    severity,
    input: runCodeInput(),
    interactive: true,
    ui: RunCodeQuestion as (props: { tool: InteractiveTool<RunCodeArgs, RunCodeResult> }) => unknown,
  });
  const setup: RunCodeSetup = {
    options,
    runTimeoutMs,
    runs: createRunBook(run, runTimeoutMs),
  };
  return Object.assign(definition, { runCode: setup }) as RunCodeTool;
}
