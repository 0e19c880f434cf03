import { plural } from './safe-text.ts';

/** The strings about what was sent, and what is still to be sent. Part of {@link Labels}. */
export interface DeliveryLabels {
  /** How far the answer of this person is, at the end of the row of its call. */
  readonly delivery: Readonly<Record<'sending' | 'not-sent' | 'refused', string>>;
  /** Describes the button that takes back an answer that was not sent yet. */
  readonly notSentYet: string;
  readonly takeBack: string;
  /** The bar while the browser has no network: what happens, and what goes out later. */
  readonly offline: string;
  readonly goesOutLater: (answers: number, messages: number) => string;
  readonly backOnline: string;
  readonly allSent: string;
  readonly connectingAgain: string;
  readonly tryNow: string;
  readonly serverRestarted: string;
  readonly answersKept: string;
  /** The bar of a question that waits until the person pauses, or that the person has put off. */
  readonly agentAsks: string;
  readonly questionWaits: string;
  /** The composer's hint while other people have to answer. */
  readonly waitsForOthers: (title: string, who: string | undefined) => string;
}

export const englishDeliveryLabels: DeliveryLabels = {
  delivery: { sending: 'sending…', 'not-sent': 'not sent yet', refused: 'your answer did not count' },
  notSentYet: 'Goes out by itself. Until then it can be taken back.',
  takeBack: 'Take back',
  offline: 'You are offline.',
  goesOutLater(answers, messages) {
    const waiting = [
      answers > 0 ? plural(answers, 'answer') : '',
      messages > 0 ? plural(messages, 'message') : '',
    ].filter(Boolean);
    if (waiting.length === 0) return 'What you send goes out when you are back.';
    return `${waiting.join(' and ')} ${answers + messages === 1 ? 'goes' : 'go'} out when you are back.`;
  },
  backOnline: 'Back online.',
  allSent: 'All sent.',
  connectingAgain: 'Connection lost. Connecting again…',
  tryNow: 'Try now',
  serverRestarted: 'The server restarted.',
  answersKept: 'Your answers are kept.',
  agentAsks: 'The agent asks:',
  questionWaits: 'waits for you',
  waitsForOthers: (title, who = 'somebody else') =>
    `${title} waits for ${who}. You need not stay here: the answer comes into this chat.`,
};
