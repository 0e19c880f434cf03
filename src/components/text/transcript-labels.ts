/** The strings of the transcript. Part of {@link Labels}. */
export interface TranscriptLabels {
  readonly conversation: string;
  readonly roles: Readonly<Record<'user' | 'assistant', string>>;
  readonly thinking: string;
  readonly answering: string;
  readonly reasoning: Readonly<Record<'streaming' | 'done', string>>;
  readonly stopped: string;
  readonly operationStatus: Readonly<Record<'running' | 'done' | 'cancelled', string>>;
  /** The name of the list of tasks. */
  readonly todos: string;
  readonly todoStatus: Readonly<Record<'pending' | 'in_progress' | 'completed' | 'cancelled', string>>;
  /** The headings inside a call that the provider of the model executed. */
  readonly providerActions: string;
  readonly providerSources: string;
  readonly providerArtifacts: string;
  /** How far a handler is: how many things are done, and of how many, where it knows. */
  readonly callProgress: (done: number, total: number | undefined) => string;
  /** The heading of the files that a handler has added to its result. */
  readonly callFiles: string;
  readonly jumpToLatest: string;
  readonly showQuestion: string;
  readonly turnFailed: string;
  readonly dismiss: string;
  readonly notices: string;
  readonly callPlaces: Readonly<Record<'client' | 'server' | 'provider' | 'mcp', string>>;
  /** The status of a call that other people have to answer. */
  readonly waitsFor: (who: string | undefined) => string;
}

export const englishTranscriptLabels: TranscriptLabels = {
  conversation: 'Conversation',
  roles: { user: 'You', assistant: 'Agent' },
  thinking: 'Thinking…',
  answering: 'The agent is answering.',
  reasoning: { streaming: 'Thinking…', done: 'Thought about it' },
  stopped: 'Stopped',
  operationStatus: { running: 'running', done: 'done', cancelled: 'cancelled' },
  todos: 'Tasks',
  todoStatus: { pending: 'to do', in_progress: 'in progress', completed: 'done', cancelled: 'dropped' },
  providerActions: 'Steps',
  providerSources: 'Sources',
  providerArtifacts: 'Files',
  callProgress: (done, total) => (total === undefined ? `${done} done` : `${done} of ${total}`),
  callFiles: 'Files',
  jumpToLatest: 'Jump to latest',
  showQuestion: 'Show',
  turnFailed: 'The answer failed',
  dismiss: 'Dismiss',
  notices: 'Notices',
  callPlaces: {
    client: 'in your browser',
    server: 'on the server',
    provider: 'at the provider',
    mcp: 'on an MCP server',
  },
  waitsFor: (who = 'somebody else') => `waits for ${who}`,
};
