/** Which question a call gets: the one table to extend for a new kind of dialog. */
import { isRecord } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import type { ClientToolComponent } from '../../tools/client-tool.ts';
import { readElicitation } from '../elicitation/read-elicitation.ts';
import type { AnyTool } from '../primitives/any-tool.ts';

export type QuestionKind = 'confirm' | 'form' | 'choice';

interface Rule {
  readonly kind: QuestionKind;
  applies(tool: AnyTool, args: Readonly<Record<string, unknown>>): boolean;
}

/** First match wins. What the app declared comes before what the model sent. */
const RULES: readonly Rule[] = [
  { kind: 'form', applies: ({ definition }) => canBeAsked(definition?.output) },
  { kind: 'form', applies: (_, { fields }) => Array.isArray(fields) && fields.length > 0 },
  { kind: 'choice', applies: (_, { options }) => Array.isArray(options) && options.length > 0 },
];

/** The question for a call: a word for one in the box, or the app's own component. */
export function pickQuestion(tool: AnyTool): QuestionKind | ClientToolComponent {
  // The tool has a handler; whether that may run is a yes or no, whatever its result looks like.
  if (tool.approvalReason !== undefined) return 'confirm';
  const ui = tool.definition?.ui;
  if (ui !== undefined) return ui;
  try {
    const args: unknown = tool.args;
    // A copy has own properties only.
    const own = isRecord(args) ? { ...args } : {};
    const elicited = readElicitation(tool)?.type;
    // A server has one way to ask; fields and options it lists beside that are not looked at.
    if (elicited !== undefined) return elicited === 'form' || elicited === 'choice' ? elicited : 'confirm';
    // `{ action, description }`, and anything else: its arguments to read, with confirm and cancel.
    return RULES.find((rule) => rule.applies(tool, own))?.kind ?? 'confirm';
  } catch {
    // Arguments parsed by an app's schema may have getters that throw. They throw again inside the dialog, whose
    // boundary cancels the call.
    return 'confirm';
  }
}

function canBeAsked(output: Parameters<typeof readStandardJsonSchema>[0] | undefined): boolean {
  return output !== undefined && readStandardJsonSchema(output) !== undefined;
}
