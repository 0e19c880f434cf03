/**
 * What is streamed, independent of any protocol: a conversation is a list of responses, a response a list of
 * steps. Every candidate gets the same steps, each in its own wire format.
 */
import { clientTool, isWritten, range, type Step, smallTool, text, toolInput, toRecords } from './steps.ts';

export interface Workload {
  readonly legs: readonly (readonly Step[])[];
  readonly eventsPerChunk: number;
  /** Messages that are there before, each this long. */
  readonly history?: { readonly count: number; readonly length: number };
  /** How long the client's tool works. Default 0: it returns at once. */
  readonly toolMs?: number;
  /** Conversations that stream at the same time. Default 1. */
  readonly conversations?: number;
  /** How often the responses are played, one turn after the other. Default 1. */
  readonly turns?: number;
  /** Over one socket, a frame per event, instead of one response per request. Default false. */
  readonly socket?: boolean;
}

export interface WorkloadKind {
  readonly title: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  /** With `--quick` and `--full`. */
  readonly quick: readonly number[];
  readonly full: readonly number[];
  /** The workload that every candidate plays before it is measured. Default: the smallest of `full`. */
  readonly warmUp?: number;
  /** Sizes that may take longer than others, in milliseconds of CPU: their number is worth waiting for. */
  readonly limitsMs?: Readonly<Record<number, number>>;
  /** True if one would expect cost to be proportional to size. */
  readonly grows: boolean;
  create(size: number): Workload;
}

export const workloads: Readonly<Record<string, WorkloadKind>> = {
  text: {
    title: 'Text, one event per chunk',
    unit: 'deltas',
    sizes: [5_000, 20_000],
    quick: [5_000],
    full: [1_000, 5_000, 20_000, 40_000],
    grows: true,
    create: (size) => ({ legs: [[text(size)]], eventsPerChunk: 1 }),
  },
  'text-50': {
    title: 'Text, fifty events per chunk',
    unit: 'deltas',
    sizes: [20_000],
    quick: [20_000],
    full: [5_000, 20_000, 40_000],
    grows: true,
    create: (size) => ({ legs: [[text(size)]], eventsPerChunk: 50 }),
  },
  'tool-input': {
    title: 'Tool input in pieces of 8 characters',
    unit: 'kB',
    sizes: [30, 120],
    quick: [30],
    full: [15, 30, 120, 400],
    warmUp: 8,
    limitsMs: { 120: 240_000 },
    grows: true,
    create: (size) => ({ legs: [[toolInput(size, 8), text(1)]], eventsPerChunk: 1 }),
  },
  'tool-input-20': {
    title: 'Tool input in pieces of 20 characters',
    unit: 'kB',
    sizes: [],
    quick: [],
    full: [30, 120, 400],
    warmUp: 20,
    grows: true,
    create: (size) => ({ legs: [[toolInput(size, 20), text(1)]], eventsPerChunk: 1 }),
  },
  object: {
    title: 'Structured output in pieces of 8 characters',
    unit: 'kB',
    sizes: [30],
    quick: [30],
    full: [15, 30, 60, 120],
    warmUp: 8,
    grows: true,
    create: (size) => ({
      legs: [[{ type: 'object', pieces: toRecords(size, 8).pieces }]],
      eventsPerChunk: 1,
    }),
  },
  history: {
    title: 'Text after 500 messages of 2 kB',
    unit: 'deltas',
    sizes: [1_000, 5_000],
    quick: [1_000],
    full: [1_000, 5_000, 20_000],
    grows: true,
    create: (size) => ({ legs: [[text(size)]], eventsPerChunk: 1, history: { count: 500, length: 2_048 } }),
  },
  'long-history': {
    title: 'Text after 2,000 messages of 2 kB',
    unit: 'deltas',
    sizes: [],
    quick: [],
    full: [1_000, 5_000, 20_000],
    grows: true,
    create: (size) => ({ legs: [[text(size)]], eventsPerChunk: 1, history: { count: 2_000, length: 2_048 } }),
  },
  'finished-tools': {
    title: '1,000 deltas of text after finished tools',
    unit: 'tools',
    sizes: [200],
    quick: [200],
    full: [200],
    grows: false,
    create: (size) => ({ legs: [[...range(size).map(smallTool), text(1_000)]], eventsPerChunk: 1 }),
  },
  'round-trips': {
    title: 'Client tools, one after the other',
    unit: 'round trips',
    sizes: [100],
    quick: [100],
    full: [100],
    grows: false,
    create: (size) => ({
      legs: [...range(size).map((index) => [clientTool(index)]), [text(1)]],
      eventsPerChunk: 1,
    }),
  },
  'parallel-tools': {
    title: 'Client tools of 20 ms at the same time',
    unit: 'tools',
    sizes: [50],
    quick: [50],
    full: [50],
    grows: false,
    create: (size) => ({ legs: [range(size).map(clientTool), [text(1)]], eventsPerChunk: 1, toolMs: 20 }),
  },
  conversations: {
    title: '5,000 deltas in each of several conversations at once',
    unit: 'conversations',
    sizes: [8],
    quick: [],
    full: [8],
    warmUp: 1,
    grows: false,
    create: (size) => ({ legs: [[text(5_000)]], eventsPerChunk: 1, conversations: size }),
  },
  turns: {
    title: 'Turns of 20 deltas in one session',
    unit: 'turns',
    sizes: [100],
    quick: [],
    full: [100, 300, 1_000],
    grows: true,
    create: (size) => ({ legs: [[text(20)]], eventsPerChunk: 1, turns: size }),
  },
  'socket-text': {
    title: 'Text over a socket',
    unit: 'deltas',
    sizes: [5_000],
    quick: [5_000],
    full: [5_000, 20_000, 40_000],
    grows: true,
    create: (size) => ({ legs: [[text(size)]], eventsPerChunk: 1, socket: true }),
  },
  'socket-tools': {
    title: '1,000 deltas of text after finished tools, over a socket',
    unit: 'tools',
    sizes: [200],
    quick: [200],
    full: [200],
    grows: false,
    create: (size) => ({
      legs: [[...range(size).map(smallTool), text(1_000)]],
      eventsPerChunk: 1,
      socket: true,
    }),
  },
};

/** True if the answer is an object instead of a message. */
export function isStructured({ legs }: Workload): boolean {
  return legs[0]?.[0]?.type === 'object';
}

/** What must have arrived in the end; a candidate that lost something is not measured. */
export interface Expected {
  /** Characters, those of an object counted as its JSON. */
  readonly text: number;
  readonly tools: number;
}

export function expectedOf({ legs }: Workload): Expected {
  const steps = legs.flat();
  return {
    text: steps.reduce((sum, step) => sum + (isWritten(step) ? step.pieces.join('').length : 0), 0),
    tools: steps.filter((step) => !isWritten(step)).length,
  };
}
