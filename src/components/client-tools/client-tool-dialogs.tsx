import { ClientToolDialogsOf, type ClientToolDialogsOfProps } from './client-tool-dialogs-of.tsx';
import { ALL_KINDS, type QuestionKind } from './question-kinds.ts';

export interface ClientToolDialogsProps extends Omit<ClientToolDialogsOfProps, 'kinds'> {
  /** The kinds of questions that the page can show. Default: all. For a small bundle, see `ClientToolDialogsOf`. */
  readonly kinds?: readonly QuestionKind[] | undefined;
}

/**
 * Shows the right dialog for the next call that waits for a person. The first rule that applies decides:
 *
 * 1. A call that asks whether a handler may run gets a confirmation.
 * 2. The tool's `ui`, a kind of dialog or a component, is used as declared.
 * 3. A tool with an `output` schema that can be described as JSON Schema gets a form.
 * 4. The `params` of an MCP elicitation get the dialog that they ask for.
 * 5. `{ fields }` in the arguments make a form, `{ options }` a choice.
 * 6. Any other call, such as one with `{ action, description }`, gets a confirmation.
 *
 * A call that only other people may answer (`mayAnswer: false`) gets no dialog: the transcript says who is waited for.
 *
 * A dialog waits while somebody types into the page: for a second without a key, at most ten seconds. Meanwhile `useHeldQuestion` and a
 * pill at the foot of the page say that the agent asks. Keys in a frame of another origin cannot be seen.
 */
export function ClientToolDialogs({ kinds = ALL_KINDS, ...props }: ClientToolDialogsProps) {
  return <ClientToolDialogsOf {...props} kinds={kinds} />;
}
