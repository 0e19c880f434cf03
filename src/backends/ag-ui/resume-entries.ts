/** Answers as the agent wants them: entries of `resume`, or payloads of the older form (AG-UI, page Interrupts). */
import type { ToolAnswer } from '../../core/protocol/commands.ts';
import { withFiles } from '../../core/protocol/with-files.ts';
import { compact, hasOwn, isRecord } from '../../shared/json.ts';
import { isApprovalYes, readReason } from '../../shared/tool-outcome.ts';
import { readContent } from './interrupt-content.ts';
import { type Interrupt, isLegacy, type ResumeEntry } from './messages.ts';
import { type InterruptCall, isConfirmation } from './questions.ts';
import { toDecisions, toRejections } from './review.ts';
import { hasApproved, isRequired, propertyOf } from './schemas.ts';

/** Returns the entry that answers an interrupt. An outcome that its schema has no word for becomes a cancellation. */
export function toResumeEntry(answer: ToolAnswer): ResumeEntry {
  const { interrupt, isClientTool } = answer.echo as unknown as InterruptCall;
  const { outcome, result } = answer;
  if (outcome === 'submitted') {
    const payload = isClientTool
      ? withFiles(result, answer.files)
      : toPayload(interrupt, result, answer.reason);
    return resolve(interrupt, payload);
  }
  if (outcome !== 'declined') return cancel(interrupt, answer.error);
  return isClientTool ? resolve(interrupt, result) : resolve(interrupt, toNo(interrupt, readReason(answer)));
}

/** Returns the entry of a question that nobody answered. The older form has no word for that: its no must not be read as a yes. */
export function cancel(interrupt: Interrupt, reason?: string): ResumeEntry {
  const interruptId = interrupt.id;
  if (!isLegacy(interrupt)) return { interruptId, status: 'cancelled' };
  return { interruptId, status: 'resolved', payload: toNo(interrupt, reason) };
}

function resolve(interrupt: Interrupt, payload: unknown): ResumeEntry {
  const interruptId = interrupt.id;
  // A payload of `resume` must not be null.
  const hasWord = payload !== undefined && (payload !== null || isLegacy(interrupt));
  return hasWord ? { interruptId, status: 'resolved', payload } : { interruptId, status: 'cancelled' };
}

/** A value that was submitted goes out as it is. Only the words of the kit's own dialogs, which the agent does not know, are translated. */
function toPayload(interrupt: Interrupt, result: unknown, reason: string | undefined): unknown {
  const content = readContent(interrupt);
  const { schema, review } = content;
  if (review) return toDecisions(review, result);
  const needsApproved = hasApproved(schema);
  // A form may have a field of its own called `confirmed`.
  if (isApprovalYes(result) && (!schema || isConfirmation(interrupt, content)))
    return needsApproved
      ? compact({ approved: true, editedArgs: result.editedArgs, ...explain(schema, reason) })
      : true;
  const lacksWord = isRecord(result) && !hasOwn(result, 'approved') && !hasOwn(result, 'confirmed');
  return lacksWord && isRequired(schema, 'approved') ? { approved: true, ...result } : result;
}

/** The words of the person, where the schema has a place for them. */
function explain(schema: Parameters<typeof propertyOf>[0], reason: string | undefined) {
  return propertyOf(schema, 'reason') === undefined ? {} : { reason };
}

/** Returns the no to a question, or undefined where only a cancellation says it. */
function toNo(interrupt: Interrupt, reason: string | undefined): unknown {
  const { schema, review } = readContent(interrupt);
  if (review) return toRejections(review, reason);
  if (hasApproved(schema)) {
    return compact({ approved: false, ...explain(schema, reason) });
  }
  const takesNo = schema ? schema.type === 'boolean' : interrupt.reason === 'confirmation';
  // An agent of the older form takes `true` or a text as a yes, so a no in words would be read as a yes.
  return takesNo || isLegacy(interrupt) ? false : undefined;
}
