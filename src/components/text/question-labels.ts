import { plural } from './safe-text.ts';

/** The strings around a question: who asks, how careful to be, and how to answer. Part of {@link Labels}. */
export interface QuestionLabels {
  /** The name of the agent where the app gives none, see `agentName` of `AgentChatProvider`. */
  readonly assistant: string;
  /** Says who asks. The name of the agent in it is emphasised. `site` is empty where the page has no address. */
  readonly asker: (agent: string, site: string) => string;
  /** Says who asks, where there is room. Begins with `asker` where the language allows that. */
  readonly asksYou: (asker: string) => string;
  /** Takes the place of `asksYou` in the last minute. */
  readonly goesOnSoon: (agent: string) => string;
  /** Names the agent that asks, as the backend calls it, if the agent of the conversation started it. */
  readonly askedByAgent: (origin: string) => string;
  readonly runsHere: string;
  readonly runsThrough: (server: string) => string;
  readonly queuePosition: (index: number, total: number) => string;
  /** The time left as it is shown, such as `9:41`. */
  readonly countdown: (seconds: number) => string;
  /** The time left as it is read out where it is shown. */
  readonly answerWithin: (seconds: number) => string;
  /** The time left as it is announced. */
  readonly timeLeft: (seconds: number) => string;
  readonly caution: string;
  readonly destructive: string;
  /** Stands above a title that the model wrote. */
  readonly inAgentsWords: string;
  /** Stands above a text that the model wrote. */
  readonly agentSays: string;
  /** The text of the button that says yes, with the main value of the call, such as `Refund €89.00`. */
  readonly yesWithValue: (verb: string, value: string) => string;
  /** Describes an answer that does not count yet. */
  readonly readySoon: string;
  readonly detailsBelow: (count: number) => string;
  readonly detailsAbove: (count: number) => string;
  readonly addNote: string;
  readonly note: string;
  /** Stands above a note that could not be sent. */
  readonly unsentNote: string;
  readonly whyNot: string;
  readonly whyNotHint: string;
  readonly whyNotMissing: string;
  readonly typeToConfirm: (word: string) => string;
  readonly typeToConfirmMissing: (word: string) => string;
  /** Says who answered while the question was on the page. */
  readonly decidedJustNow: Readonly<Record<'allowed' | 'declined' | 'answered', (name: string) => string>>;
  /** The title of a question from an MCP server. */
  readonly serverAsks: (server: string) => string;
}

export const englishQuestionLabels: QuestionLabels = {
  assistant: 'The assistant',
  asker: (agent, site) => (site === '' ? agent : `${agent} on ${site}`),
  asksYou: (asker) => `${asker} asks you`,
  goesOnSoon: (agent) => `${agent} goes on without an answer soon`,
  askedByAgent: (origin) => `for its agent “${origin}”`,
  runsHere: 'it runs in this browser',
  runsThrough: (server) => `through ${server}, an MCP server`,
  queuePosition: (index, total) => `${index} of ${total}`,
  countdown: formatDuration,
  answerWithin: (seconds) => `Answer within ${formatDuration(seconds)}`,
  timeLeft: (seconds) =>
    `${seconds < 60 ? plural(seconds, 'second') : plural(Math.round(seconds / 60), 'minute')} left`,
  caution: 'Please check',
  destructive: 'Cannot be undone',
  inAgentsWords: 'In the agent’s words',
  agentSays: 'The agent says',
  yesWithValue: (verb, value) => `${verb} ${value}`,
  readySoon: 'Ready in a moment',
  detailsBelow: (count) => plural(count, 'more detail below', 'more details below'),
  detailsAbove: (count) => plural(count, 'more detail above', 'more details above'),
  addNote: 'Add a note',
  note: 'Note, the agent reads this',
  unsentNote: 'Your note, not sent',
  whyNot: 'Why not?',
  whyNotHint: 'The agent reads this.',
  whyNotMissing: 'Say why first.',
  typeToConfirm: (word) => `Type ${word} to allow this`,
  typeToConfirmMissing: (word) => `Type ${word} first, exactly as shown.`,
  decidedJustNow: {
    allowed: (name) => `${name} allowed this just now.`,
    declined: (name) => `${name} did not allow this just now.`,
    answered: (name) => `${name} answered this just now.`,
  },
  serverAsks: (server) => `“${server}” asks`,
};

/** `9:05`, `1:09:05`, or `2 days` from 24 hours on. Rounded down, so that it never promises more time than is left. */
function formatDuration(seconds: number): string {
  if (seconds >= 86_400) return plural(Math.floor(seconds / 86_400), 'day');
  return new Date(seconds * 1_000)
    .toISOString()
    .slice(11, 19)
    .replace(/^(00:)?0?/, '');
}
