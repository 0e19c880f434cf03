import * as z from 'zod/mini';
import type { Severity } from '../../core/tools/client-tool.ts';
import type { CodeExecution, CodeExecutionOptions } from '../code-execution.ts';
import type { RunBook } from '../create-run-book.ts';
import type { RunCodeLabels } from './run-code-labels.ts';

/** Options of `runCodeTool`: the capabilities of the programs, and the texts and looks of the question. */
export interface RunCodeToolOptions
  extends Pick<CodeExecutionOptions, 'globals' | 'imports' | 'modules' | 'memoryLimitBytes'> {
  /** Title of the dialog. Default `Run code`. */
  readonly title?: string;
  /** Text of the dialog when the agent sent no `explanation`. */
  readonly description?: string;
  /** The risk of the code. Default `caution`: the focus starts on Decline. */
  readonly severity?: Severity;
  /** Descriptions of capabilities for people, by the names in the dialog (`orders.list`, `readFile from fs`). */
  readonly capabilityDescriptions?: Readonly<Record<string, string>>;
  /** Milliseconds that an allowed run may take before it ends as `terminated`. Default 60,000. */
  readonly runTimeoutMs?: number;
  /** Shows the question in a dialog or as a card in the flow of the page. Default: as the `mode` of `ClientToolDialogs`. */
  readonly surface?: 'dialog' | 'card';
  readonly labels?: Partial<RunCodeLabels>;
  /** The sandbox that runs the code. Default `runCode`; `createSandbox(...).runCode` for a sandbox with its own settings. */
  readonly run?: (source: string, options: CodeExecutionOptions) => CodeExecution;
}

/** The limit for the code of a call, in characters: a person must be able to see the code in full before consenting. */
export const MAX_CODE_LENGTH = 500_000;

/**
 * The schema of the arguments that the agent sends. Give it to the model as JSON Schema with zod's `toJSONSchema`.
 *
 * The schema is one of `zod/mini`: an object schema of `zod` probes `new Function`, which a page with Trusted Types reports. The
 * Standard JSON Schema interface, which `zod/mini` leaves out, is added.
 */
export function runCodeInput() {
  const schema = z.object({
    code: z
      .string()
      .check(
        z.maxLength(MAX_CODE_LENGTH),
        z.describe(
          'A JavaScript or TypeScript module. Its default export is the result; a function is called and awaited.',
        ),
      ),
    language: z.optional(z.enum(['typescript', 'javascript'])).check(z.describe('Default typescript')),
    explanation: z
      .optional(z.string())
      .check(z.describe('One sentence for the user: what the code does and why')),
  });
  const describe = (io: 'input' | 'output') => () => z.toJSONSchema(schema, { io });
  Object.assign(schema['~standard'], {
    jsonSchema: { input: describe('input'), output: describe('output') },
  });
  return schema;
}

/** Arguments of a call. */
export type RunCodeArgs = z.output<ReturnType<typeof runCodeInput>>;

/** The options and runs of one run-code tool, for its dialog and its cards. It is stored on the tool's definition. */
export interface RunCodeSetup {
  readonly options: RunCodeToolOptions;
  readonly runTimeoutMs: number;
  readonly runs: RunBook;
}

/** Returns the setup in a definition. @throws TypeError when `runCodeTool` did not make the definition. */
export function readSetup(definition: unknown): RunCodeSetup {
  const { runCode } = (definition ?? {}) as { runCode?: RunCodeSetup };
  if (runCode === undefined)
    throw new TypeError('This tool was not made by runCodeTool; pass the definition it returned');
  return runCode;
}
