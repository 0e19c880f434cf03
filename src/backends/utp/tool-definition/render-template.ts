/** Placeholders in the texts of a tool definition (CommonGround v1r4): ids of the call, replaced as plain text. */

/** The fields that a placeholder may name, such as `{agent_turn_id}`. */
export const TEMPLATE_FIELDS = [
  'project_id',
  'channel_id',
  'agent_id',
  'agent_turn_id',
  'step_id',
  'tool_call_id',
  'parent_step_id',
  'trace_id',
  'turn_epoch',
  'context_box_id',
] as const;

/** The fields that a placeholder in `target_subject` may name. */
export const SUBJECT_FIELDS = ['project_id', 'channel_id', 'agent_id'] as const;

/** The values of the placeholders. The placeholder of a field that is absent stays in the text. */
export type UtpTemplateFields = {
  readonly [Field in (typeof TEMPLATE_FIELDS)[number]]?: string | number | undefined;
};

/** Returns the value with its placeholders replaced. Only a text has placeholders; any other value is returned as it is. */
export function renderTemplate(value: unknown, fields: UtpTemplateFields): unknown {
  return typeof value === 'string' ? renderText(value, fields, TEMPLATE_FIELDS) : value;
}

/** Returns the subject of a command: the `target_subject` of a definition for a project, a channel and an agent. */
export function renderTargetSubject(
  targetSubject: string,
  fields: Pick<UtpTemplateFields, (typeof SUBJECT_FIELDS)[number]>,
): string {
  return renderText(targetSubject, fields, SUBJECT_FIELDS);
}

/** Replaces all placeholders at once, so that a value with braces is not read as a placeholder. */
function renderText(
  text: string,
  fields: UtpTemplateFields,
  names: readonly (keyof UtpTemplateFields)[],
): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, word: string) => {
    const name = names.find((candidate) => candidate === word);
    return String((name && fields[name]) ?? placeholder);
  });
}
