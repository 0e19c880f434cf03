import type { ChatTraceStep } from '../../core/chat/trace.ts';

/** The views of the timeline. */
export const STEP_GROUPS = ['turns', 'requests', 'events', 'calls', 'page'] as const;
export type StepGroup = (typeof STEP_GROUPS)[number];

/** Returns the group of a step. A step of a later version of the engine is about the page. */
export function groupOf({ type }: ChatTraceStep): StepGroup {
  if (type.startsWith('turn-')) return 'turns';
  if (type === 'event-received') return 'events';
  if (type === 'call-changed' || type === 'answer-refused') return 'calls';
  return /^(request|response|stop)-/.test(type) ? 'requests' : 'page';
}

/** How a step is shown: `out` left this page. */
export type StepLook = 'plain' | 'out' | 'good' | 'caution' | 'bad';

/** Returns the look of a step. */
export function lookOf(step: ChatTraceStep): StepLook {
  switch (step.type) {
    case 'request-sent':
    case 'stop-sent':
      return 'out';
    case 'response-cut':
    case 'answer-refused':
      return 'caution';
    case 'error-reported':
      return 'bad';
    case 'response-ended':
      return step.status === 'failed' ? 'bad' : 'plain';
    case 'turn-ended':
      return step.code === undefined ? 'good' : 'bad';
    case 'call-changed':
      return step.stage === 'waiting' ? 'caution' : 'plain';
    default:
      return 'plain';
  }
}

/** Returns the fields of a step in one line, without its type and time. */
export function describeStep({ type: _, at: __, ...fields }: ChatTraceStep): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(' · ');
}
