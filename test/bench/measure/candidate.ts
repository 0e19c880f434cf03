/** The task of a candidate, and the tools it gets for it. */
import type { Step } from '../steps.ts';
import type { Expected, Workload } from '../workloads.ts';

export interface Lent {
  readonly workload: Workload;
  /** The agent: each call is one request and gets the next response. */
  readonly fetch: () => Promise<Response>;
  /** The same over a socket that is open: each frame sent to it is one request. */
  readonly connect: () => Socket;
  /** The client's tool. */
  readonly runTool: () => Promise<unknown>;
  readonly history: readonly {
    readonly id: string;
    readonly role: 'user' | 'assistant';
    readonly text: string;
  }[];
  readonly counts: Counts;
}

export interface Socket {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  send(data: string): void;
  close(): void;
}

export interface Counts {
  /** Times React committed the chat. */
  commits: number;
  /** Times a component of a single part rendered. */
  partRenders: number;
}

export interface Chat {
  /** One message of a person; resolves when the agent is done, tools and all. */
  send(): Promise<void>;
  /** The content of the last message. */
  received(): Expected;
  close(): void;
}

export interface Candidate {
  /** The `data` of each event of a response. `index` counts responses, `turn` messages of the person. */
  readonly wire: (leg: readonly Step[], index: number, turn: number) => string[];
  /** True if a response is the data alone, as text, instead of an event stream. Default no. */
  readonly isBare?: (workload: Workload) => boolean;
  /** Why there is nothing to measure, where it has no API for the workload. */
  readonly cannot?: (workload: Workload) => string | undefined;
  open(lent: Lent): Promise<Chat>;
}
