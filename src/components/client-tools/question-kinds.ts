import { type ComponentType, createContext } from 'react';
import { ChoiceQuestion } from '../choice/choice-dialog.tsx';
import { PlainConfirmation } from '../confirmation/confirmation-dialog.tsx';
import { PickedElicitation } from '../elicitation/elicitation-question.tsx';
import type { Elicitation } from '../elicitation/read-elicitation.ts';
import { FormQuestion } from '../form/form-dialog.tsx';
import type { OnSurface } from '../primitives/create-question.tsx';
import type { QuestionProps } from '../primitives/question.tsx';

/** Props of the component of a kind. */
export interface KindProps extends OnSurface<QuestionProps> {
  /** The MCP elicitation in the arguments, as `pickQuestion` read it. `null` for none. */
  readonly elicitation?: Elicitation | null | undefined;
}

/**
 * A kind of question that a page can show: `confirmation`, `choice`, `form` or `elicitation`. Give those that a page needs to
 * `ClientToolDialogsOf`; only they get into its bundle.
 */
export interface QuestionKind {
  readonly name: 'confirmation' | 'choice' | 'form' | 'elicitation';
  readonly Question: ComponentType<KindProps>;
}

/** A yes or no: approvals, tools with `ui: 'confirm'`, and calls with arguments alone. */
export const confirmation: QuestionKind = { name: 'confirmation', Question: PlainConfirmation };

/** Asks the person to pick one option, or several. */
export const choice: QuestionKind = { name: 'choice', Question: ChoiceQuestion };

/** Values, in a form made from a schema. */
export const form: QuestionKind = { name: 'form', Question: FormQuestion };

/** Asks what an MCP server wants without a form: a consent, one yes or no, a page to open. */
export const elicitation: QuestionKind = { name: 'elicitation', Question: PickedElicitation };

/** All kinds of the kit. */
export const ALL_KINDS: readonly QuestionKind[] = [confirmation, choice, form, elicitation];

/** The kinds that the queue around can show. */
export const KindsContext = /* @__PURE__ */ createContext<readonly QuestionKind[]>([]);
