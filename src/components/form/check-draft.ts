/** Whether a draft can be handed over, and what is wrong with it. */
import type { Issue } from '../../store/client-tools.ts';
import type { Labels } from '../text/labels.ts';
import { type Draft, ROOT_NAME } from './draft.ts';
import type { ReadValue } from './form-context.ts';
import { locateIssue } from './locate-issue.ts';
import { ABSENT, type ControlIssue, readDraft } from './read-draft.ts';
import type { FormModel } from './read-schema.ts';

/** What a failed submit has to tell: issues of controls, and those that belong to none. */
export interface Failure {
  readonly located: readonly ControlIssue[];
  readonly general: readonly Issue[];
}

export const nothingWrong: Failure = { located: [], general: [] };

/** Checks a whole draft: first what each control can tell by itself, then the schema. */
export async function checkDraft(
  model: FormModel,
  draft: Draft | undefined,
  labels: Labels,
): Promise<Failure & { value?: ReadValue }> {
  const issues: ControlIssue[] = [];
  const read = readDraft(model.field, draft, ROOT_NAME, { labels, issues });
  const entered = read === ABSENT ? undefined : read;
  const { validate } = model;
  const certain = issues.filter(({ pattern }) => validate === undefined || pattern === undefined);
  if (issues.length > 0 && certain.length === issues.length) return { located: issues, general: [] };
  if (validate === undefined) return { ...nothingWrong, value: held(entered, entered) };
  const result = await validate['~standard'].validate(entered);
  const refused = sortIssues(model, draft, result.issues ?? []);
  const told = settlePatterns(issues, refused.located);
  if (certain.length > 0) return { located: told, general: [] };
  if (result.issues === undefined) return { ...nothingWrong, value: held(result.value, entered) };
  const located = refused.located.map((issue) => told.find(({ name }) => name === issue.name) ?? issue);
  return { ...refused, located };
}

/**
 * The flags of a pattern do not come with it, so what it seems to refuse counts only where the schema refuses it too; in
 * the words of the schema, unless they quote the pattern, which says nothing to a person.
 */
function settlePatterns(
  issues: readonly ControlIssue[],
  refused: readonly ControlIssue[],
): readonly ControlIssue[] {
  return issues.flatMap((issue) => {
    if (issue.pattern === undefined) return issue;
    const { message } = refused.find(({ name }) => name === issue.name) ?? {};
    if (message === undefined) return [];
    return message.includes(issue.pattern) ? issue : { ...issue, message };
  });
}

function held(parsed: unknown, entered: unknown): ReadValue {
  return { parsed: () => parsed, entered: () => entered };
}

export function sortIssues(model: FormModel, draft: Draft | undefined, issues: readonly Issue[]): Failure {
  const placed = issues.map((issue) => ({ issue, control: locateIssue(model.field, draft, issue) }));
  return {
    located: placed.flatMap(({ control }) => control ?? []),
    general: placed.flatMap(({ issue, control }) => (control === undefined ? [issue] : [])),
  };
}
