/** A question in the older form, a custom event, and the answers to such questions. */
import { compact, isRecord, ownString } from '../../shared/json.ts';
import { isForPeople, parseValue } from './interrupt-content.ts';
import type { AgUiEvent, Interrupt, ResumeEntry } from './messages.ts';

/** Begins the id of a question that came without one. */
const NAMELESS = 'on_interrupt-';

/** Reads a question, whose content stands in the value of the event. */
export function toLegacyInterrupt({ value, rawEvent }: AgUiEvent, index: number): Interrupt {
  const json = parseValue(value);
  const given = isRecord(json) ? json : {};
  const id = isRecord(rawEvent) ? ownString(rawEvent, 'id') : undefined;
  const schema = given.responseSchema ?? given.response_schema;
  return compact({
    id: id ?? `${NAMELESS}${index}`,
    reason: toReason(ownString(given, 'reason')),
    toolCallId: ownString(given, 'toolCallId') ?? ownString(given, 'tool_call_id'),
    responseSchema: isRecord(schema) ? schema : undefined,
    expiresAt: ownString(given, 'expiresAt') ?? ownString(given, 'expires_at'),
    legacyValue: value ?? null,
  });
}

/** The reason names the question in programs. Words for people are shown with it. */
function toReason(reason: string | undefined): string {
  return reason === undefined || isForPeople(reason) ? 'on_interrupt' : reason;
}

/** Returns the answers as a command: the agent wants the one of a single question, a map of ids to answers, or a list for questions without ids. */
export function toLegacyCommand(legacy: readonly Interrupt[], resume: readonly ResumeEntry[]) {
  const payloads = legacy.map(({ id }) => resume.find(({ interruptId }) => interruptId === id)?.payload);
  const [first] = legacy;
  if (legacy.length === 1) return { resume: payloads[0], interruptEvent: first?.legacyValue };
  const areNamed = legacy.every(({ id }) => !id.startsWith(NAMELESS));
  const byId = Object.fromEntries(legacy.map(({ id }, index) => [id, payloads[index]]));
  return { resume: areNamed ? byId : payloads };
}
