/** The faults by name: the place of each, and the act of the person or the server at that moment. */
import type { FaultPlan } from './faulty-carrier.ts';

export const FAULTS = [
  'cut-before',
  'cut-inside',
  'cut-after',
  'cut-twice',
  'freeze',
  'duplicate',
  'duplicate-and-cut',
  'lose-request',
  'lose-response',
  'swallow-response',
  'lose-two-requests',
  'lose-response-then-request',
  'swallow-answers',
  'second-login',
  'reload',
  'reload-twice',
  'reload-and-lose-response',
  'answer',
  'answer-and-cut',
  'answer-and-reload',
  'restart',
  'restart-and-reload',
  'mix',
] as const;

export type FaultName = (typeof FAULTS)[number];

interface PlannedFault extends Omit<FaultPlan, 'onCall'> {
  /** The acts at an event with the fault `call`. */
  readonly calls: readonly ('reload' | 'answer' | 'restart')[];
}

/** Returns true for a fault that only a socket has, and only a server that numbers its events lets the client notice. */
export const isOfSockets = (fault: FaultName): boolean => fault === 'freeze' || fault === 'swallow-answers';

/** Returns true for a fault at a request, false for a fault at an event. */
export const isOfRequests = (fault: FaultName | 'none'): boolean => /^(lose|swallow|second)/.test(fault);

/** Events between two faults: the second hits the events that are sent again, or the one after them. */
const APART = 2;

export function planFault(fault: FaultName | 'none', at: number): PlannedFault {
  const none: PlannedFault = { events: [], requests: [], calls: [] };
  const call = { fault: 'call', at } as const;
  const cut = { fault: 'cut-after', at } as const;
  switch (fault) {
    case 'none':
      return none;
    case 'cut-before':
    case 'cut-inside':
    case 'cut-after':
    case 'freeze':
    case 'duplicate':
      return { ...none, events: [{ fault, at }] };
    case 'cut-twice':
      return { ...none, events: [cut, { fault: 'cut-before', at: at + APART }] };
    case 'duplicate-and-cut':
      return { ...none, events: [{ fault: 'duplicate', at }, cut] };
    case 'lose-request':
    case 'lose-response':
    case 'swallow-response':
    case 'swallow-answers':
    case 'second-login':
      return { ...none, requests: [{ fault, at }] };
    case 'lose-two-requests':
      return { ...none, requests: [at, at + 1].map((at) => ({ fault: 'lose-request', at })) };
    case 'lose-response-then-request':
      return {
        ...none,
        requests: [
          { fault: 'lose-response', at },
          { fault: 'lose-request', at: at + 1 },
        ],
      };
    case 'reload':
    case 'answer':
    case 'restart':
      return { ...none, events: [call], calls: [fault] };
    case 'reload-twice':
      return { ...none, events: [call, { ...call, at: at + APART }], calls: ['reload'] };
    case 'reload-and-lose-response':
      return {
        events: [call],
        requests: [1, 2].map((at) => ({ fault: 'lose-response', at })),
        calls: ['reload'],
      };
    case 'answer-and-cut':
      return { ...none, events: [call, cut], calls: ['answer'] };
    case 'answer-and-reload':
      return { ...none, events: [call], calls: ['answer', 'reload'] };
    case 'restart-and-reload':
      return { ...none, events: [call], calls: ['restart', 'reload'] };
    case 'mix':
      return planMix(at);
    default:
      return fault satisfies never;
  }
}

/** Returns three faults at random places of a conversation and one of its requests. The number is the seed. */
function planMix(seed: number): PlannedFault {
  let state = seed + 1;
  // The generator of Park and Miller.
  const next = (below: number) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
  const kinds = ['cut-before', 'cut-inside', 'cut-after', 'call'] as const;
  const losses = ['lose-request', 'lose-response'] as const;
  const acts = ['reload', 'answer'] as const;
  return {
    events: [0, 1, 2].map(() => ({ fault: kinds[next(4)] ?? 'call', at: next(60) })),
    requests: [{ fault: losses[next(2)] ?? 'lose-request', at: next(6) }],
    calls: [acts[next(2)] ?? 'reload'],
  };
}
