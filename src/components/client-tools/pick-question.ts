import type { ClientToolComponent, DialogKind } from '../../core/tools/client-tool.ts';
import { isRecord } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import { type Elicitation, readElicitation } from '../elicitation/read-elicitation.ts';
import { describesItself } from '../form/schema/describe-schema.ts';

/** A dialog or card of the kit. */
export interface KitQuestion {
  readonly kind: DialogKind;
  /** The MCP elicitation in the arguments: `null` when there is none, absent when the picker did not look for it. */
  readonly elicitation?: Elicitation | null;
}

/** A question of the kit, or the app's own component. */
export type PickedQuestion =
  | KitQuestion
  | { readonly kind: 'component'; readonly component: ClientToolComponent };

interface Rule {
  readonly kind: DialogKind;
  applies(tool: AnyTool, args: Readonly<Record<string, unknown>>): boolean;
}

/** The first match wins. The app's declarations come before the model's arguments. */
const RULES: readonly Rule[] = [
  { kind: 'form', applies: ({ definition }) => describesItself(definition?.output) },
  { kind: 'form', applies: (_, { fields }) => Array.isArray(fields) && fields.length > 0 },
  { kind: 'choice', applies: (_, { options }) => Array.isArray(options) && options.length > 0 },
  // A confirmation sends `{ confirmed: true }`, which such a schema refuses. In the form a person can enter JSON.
  { kind: 'form', applies: ({ definition }) => definition?.output !== undefined },
];

/** Decides how to ask the person about a call. */
export function pickQuestion(tool: AnyTool): PickedQuestion {
  // An approval is a yes or no, also when `output` describes the result of the handler.
  if (tool.approvalReason !== undefined) return { kind: 'confirm' };
  const ui = tool.definition?.ui;
  if (ui !== undefined) return typeof ui === 'string' ? { kind: ui } : { kind: 'component', component: ui };
  try {
    const args: unknown = tool.args;
    // The copy has own properties only.
    const own = isRecord(args) ? { ...args } : {};
    const elicitation = readElicitation(tool) ?? null;
    // An elicitation says how to ask, so `fields` and `options` beside it do not count.
    if (elicitation !== null) return { kind: kindOf(elicitation), elicitation };
    // Any other arguments, such as `{ action, description }`, are shown with Confirm and Decline.
    return { kind: RULES.find((rule) => rule.applies(tool, own))?.kind ?? 'confirm', elicitation };
  } catch {
    // An app's schema may have returned arguments whose getters throw. They throw again inside the dialog, whose error
    // boundary settles the call as `failed`.
    return { kind: 'confirm' };
  }
}

function kindOf({ type }: Elicitation): DialogKind {
  return type === 'form' || type === 'choice' ? type : 'confirm';
}
