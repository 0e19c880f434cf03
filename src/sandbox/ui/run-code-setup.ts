import { enum as enumOf, object, optional, type output, string } from 'zod';
import type { Severity } from '../../tools/client-tool.ts';
import type { CodeExecution, CodeExecutionOptions } from '../code-execution.ts';
import type { RunBook } from '../create-run-book.ts';
import type { RunCodeLabels } from './run-code-labels.ts';

/** What `runCodeTool` takes: the capabilities of the programs, and how the person is asked. */
export interface RunCodeToolOptions
  extends Pick<CodeExecutionOptions, 'globals' | 'imports' | 'modules' | 'memoryLimitBytes'> {
  /** For people; shown as the title of the dialog. Default `Run code`. */
  readonly title?: string;
  /** For people; shown where the agent sent no `explanation`. */
  readonly description?: string;
  /** How careful the person should be. Default `caution`: the focus starts on Decline. */
  readonly severity?: Severity;
  /** What the capabilities do, for people, by the names the dialog lists (`orders.list`, `readFile from fs`). */
  readonly capabilityDescriptions?: Readonly<Record<string, string>>;
  /** Milliseconds a run may take once it was allowed, then it is ended as `terminated`. Default 60,000. */
  readonly runTimeoutMs?: number;
  /** Where the question is asked: in a dialog (default) or as a card in the flow of the page. */
  readonly surface?: 'dialog' | 'card';
  readonly labels?: Partial<RunCodeLabels>;
  /** The sandbox that runs the code. Default `runCode`; `createSandbox(...).runCode` for a sandbox with its own settings. */
  readonly run?: (source: string, options: CodeExecutionOptions) => CodeExecution;
}

/** Characters of code a call may have: what is longer could not be shown in full. */
export const MAX_CODE_LENGTH = 500_000;

/** The schema of what the agent has to send; give it to the model as JSON Schema with zod's `toJSONSchema`. */
export function runCodeInput() {
  return object({
    code: string()
      .max(MAX_CODE_LENGTH)
      .describe(
        'A JavaScript or TypeScript module. Its default export is the result; a function is called and awaited.',
      ),
    language: optional(enumOf(['typescript', 'javascript'])).describe('Default typescript'),
    explanation: optional(string()).describe('One sentence for the user: what the code does and why'),
  });
}

/** Arguments of a call, as the dialog gets them. */
export type RunCodeArgs = output<ReturnType<typeof runCodeInput>>;

/** What the dialog and the card need to know of a tool; it travels with the definition. */
export interface RunCodeSetup {
  readonly options: RunCodeToolOptions;
  readonly runs: RunBook;
}

/** The setup in a definition made by `runCodeTool`. @throws TypeError for any other definition. */
export function readSetup(definition: unknown): RunCodeSetup {
  const { runCode } = (definition ?? {}) as { runCode?: RunCodeSetup };
  if (runCode === undefined)
    throw new TypeError('This tool was not made by runCodeTool; pass the definition it returned');
  return runCode;
}
