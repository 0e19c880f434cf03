/** Notices that the client itself makes. */
import type { NoticeEvent } from './events.ts';

/** Tells the person why a question closed by itself, or why their answer did not count. */
export function answeredElsewhere(toolCallId?: string, text = 'Answered elsewhere'): NoticeEvent {
  return { type: 'notice', code: 'answered_elsewhere', text, toolCallId };
}
