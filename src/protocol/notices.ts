/** Notices that the client itself makes. */
import type { NoticeEvent } from './events.ts';

/** A question that closes by itself, or an answer that is not the one that counts, must say why. */
export function answeredElsewhere(toolCallId?: string): NoticeEvent {
  return { type: 'notice', code: 'answered_elsewhere', text: 'Answered elsewhere', toolCallId };
}
