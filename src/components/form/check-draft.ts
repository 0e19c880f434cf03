/** Whether a draft can be handed over, and what is wrong with it. */
import type { Issue } from '../../store/client-tools.ts';
import type { Labels } from '../text/labels.ts';
import { askAuthor } from './ask-author.ts';
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
  const read = (missing: boolean) => {
    const value = readDraft(model.field, draft, ROOT_NAME, {
      labels,
      issues: missing ? [] : issues,
      missing,
    });
    return value === ABSENT ? undefined : value;
  };
  const entered = read(false);
  const { validate } = model;
  if (validate === undefined) {
    const value = held(entered, entered);
    return issues.length > 0 ? { located: issues, general: [] } : { ...nothingWrong, value };
  }

  const asked: ControlIssue[] = [];
  const ask = async (value: unknown) => {
    // It is asked about values it would not get: where it throws over one, its author has no words for it.
    const refused = await askAuthor(validate, value).catch(() => []);
    asked.push(...sortIssues(model, draft, refused).located);
  };
  if (issues.length > 0) await ask(entered);
  // `z.string().min(1, 'Pick a size')` speaks of an empty text, `z.string('Pick a size')` of a missing one.
  if (issues.some(({ name, basis }) => basis === 'empty' && wordsFor(name, asked) === undefined)) {
    await ask(read(true));
  }
  const told = issues.flatMap((issue) => inAuthorsWords(issue, asked));
  if (told.some(({ basis }) => basis !== 'pattern')) return { located: told, general: [] };

  const result = await validate['~standard'].validate(entered);
  if (result.issues === undefined) return { ...nothingWrong, value: held(result.value, entered) };
  const refused = sortIssues(model, draft, result.issues);
  const located = refused.located.map((issue) => told.find(({ name }) => name === issue.name) ?? issue);
  return { ...refused, located };
}

/**
 * What the author of the schema says of a place beats what the form says. The flags of a pattern do not come with it, so
 * what it seems to refuse counts only where the schema refuses it too. What has no value was never put to the schema.
 */
function inAuthorsWords(issue: ControlIssue, asked: readonly ControlIssue[]): readonly ControlIssue[] {
  if (issue.basis === 'unread') return [issue];
  if (issue.basis === 'pattern' && !asked.some(({ name }) => name === issue.name)) return [];
  return [{ ...issue, message: wordsFor(issue.name, asked) ?? issue.message }];
}

function wordsFor(place: string, asked: readonly ControlIssue[]): string | undefined {
  return asked.find(({ name, message }) => name === place && message !== '')?.message;
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
