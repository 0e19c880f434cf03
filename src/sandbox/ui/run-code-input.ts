import { enum as enumOf, object, optional, type output, string } from 'zod';

/** Characters of code a call may have: what is longer could not be shown in full. */
export const LONGEST_CODE = 500_000;

/** The schema of what the agent has to send; give it to the model as JSON Schema with zod's `toJSONSchema`. */
export function runCodeInput() {
  return object({
    code: string()
      .max(LONGEST_CODE)
      .describe(
        'A JavaScript or TypeScript module. Its default export is the result; a function is called and awaited.',
      ),
    language: optional(enumOf(['typescript', 'javascript'])).describe('Default typescript'),
    explanation: optional(string()).describe('One sentence for the user: what the code does and why'),
  });
}

/** Arguments of a call, as the dialog gets them. */
export type RunCodeArgs = output<ReturnType<typeof runCodeInput>>;
