/** The script of all local backends. Each scenario shows one use of browser tools. */
import { type Agent, createScriptedAgent, type ScriptScenario, type ScriptTurn } from 'handrail/server';
import { RUN_CODE } from './run-code-scenario.ts';

/** The delay between two words: slow enough to watch the stream. Milliseconds. */
const WORD_MS = 22;

/** @param ownScenarios scenarios for what only one backend has */
export function createPlaygroundAgent(ownScenarios: readonly ScriptScenario[] = []): Agent {
  const scenarios: readonly ScriptScenario[] = [
    ...ownScenarios,
    FILES,
    RUN_CODE,
    ORDER,
    LOCATION,
    CLIPBOARD,
    FEEDBACK,
    CHOICE,
    EVENING,
    createFailure(),
    SLOW,
    CHAT,
  ];
  return createScriptedAgent(scenarios, { delayMs: WORD_MS });
}

const FILES: ScriptScenario = {
  when: (text, turn) => /receipt|\bfiles?\b|attach/i.test(text) || readFiles(turn).length > 0,
  steps: [
    (turn) => {
      const files = readFiles(turn);
      if (files.length === 0) {
        return 'Gladly. Attach it with the paper clip below, or drop it there: it goes up while you write.';
      }
      const names = files.map(({ filename, size }) =>
        // The AI SDK tells no size.
        size === undefined ? filename : `${filename} (${Math.ceil(size / 1000)} kB)`,
      );
      return `I have ${names.join(' and ')}. I am a script and cannot read, but it is all here.`;
    },
  ],
};

const ORDER: ScriptScenario = {
  when: /\b(order|buy)\b/i,
  steps: [
    { reasoning: 'They want to buy something. I look it up first, then I ask before I spend money.' },
    'Let me look that up.',
    ({ text }) => ({ call: 'look_up_product', args: { query: text }, title: 'Look up product' }),
    (turn) => {
      const { product, price, deliveryDays } = readResult(turn, 'look_up_product');
      return [
        `The ${product} is in stock.`,
        {
          call: 'confirm_order',
          title: 'Confirm order',
          args: {
            action: `Order 1 ${product}`,
            description: 'The order is placed as soon as you confirm.',
            price: `${price} EUR`,
            delivery: `in ${deliveryDays} day${deliveryDays === 1 ? '' : 's'}`,
          },
        },
      ];
    },
    (turn) => {
      if (!isConfirmed(turn)) return ['All right, I did not order anything.'];
      const { product } = readResult(turn, 'look_up_product');
      return [{ call: 'place_order', args: { product }, title: 'Place order' }];
    },
    (turn) => {
      const { orderNumber } = readResult(turn, 'place_order');
      return orderNumber === undefined ? [] : [`Done. Your order number is ${orderNumber}.`];
    },
  ],
};

const LOCATION: ScriptScenario = {
  when: /where am i|location/i,
  steps: [
    'I ask your browser.',
    { call: 'get_browser_location', title: 'Get location' },
    (turn) => {
      const answer = turn.result('get_browser_location');
      if (answer?.error) return `I could not find out: ${answer.error}`;
      const { latitude, longitude } = readResult(turn, 'get_browser_location');
      return `You are at ${Number(latitude).toFixed(2)}° latitude and ${Number(longitude).toFixed(2)}° longitude, give or take.`;
    },
  ],
};

const HAIKU = 'A call is waiting,\nthe train enters a tunnel.\nOne answer arrives.';

const CLIPBOARD: ScriptScenario = {
  when: /copy|clipboard|haiku/i,
  steps: [
    // Two spaces at its end break a line of Markdown.
    `Here is one:\n\n${HAIKU.replaceAll('\n', '  \n')}`,
    { call: 'copy_to_clipboard', args: { text: HAIKU }, title: 'Copy to clipboard' },
    (turn) => {
      const error = turn.result('copy_to_clipboard')?.error;
      if (error) return `I could not copy it: ${error}`;
      const { copied } = readResult(turn, 'copy_to_clipboard');
      return copied === true ? 'It is on your clipboard.' : 'All right, your clipboard stays as it is.';
    },
  ],
};

const FEEDBACK: ScriptScenario = {
  when: /feedback|rate/i,
  steps: [
    'Gladly.',
    {
      call: 'request_feedback',
      title: 'Your feedback',
      args: { question: 'How did this conversation go?' },
    },
    (turn) => {
      const { rating } = readResult(turn, 'request_feedback');
      if (rating === undefined) return 'No problem, maybe another time.';
      return `Thank you for the ${rating} out of 5.${Number(rating) < 4 ? ' I will try to do better.' : ''}`;
    },
  ],
};

const CHOICE: ScriptScenario = {
  when: /deliver|shipping|choose/i,
  steps: [
    'There are three ways.',
    {
      call: 'choose_option',
      title: 'Choose delivery',
      args: {
        title: 'Delivery',
        question: 'How should it be delivered?',
        options: [
          { value: 'standard', label: 'Standard', description: '2 to 4 days, free' },
          { value: 'express', label: 'Express', description: 'Tomorrow before noon, 9 EUR' },
          { value: 'pickup', label: 'Pick up', description: 'In the shop, from 14:00 today' },
        ],
      },
    },
    (turn) => {
      const { selected } = readResult(turn, 'choose_option');
      return selected === undefined ? 'Then we leave it open.' : `Noted: ${selected}.`;
    },
  ],
};

const EVENING: ScriptScenario = {
  when: /evening|tonight/i,
  steps: [
    'I check what is on and what time it is where you are, and you pick.',
    { call: 'find_events', title: 'Find events' },
    { call: 'get_local_time', title: 'Get local time' },
    {
      call: 'choose_option',
      title: 'Pick a mood',
      args: {
        title: 'This evening',
        question: 'What are you in the mood for?',
        options: [
          { value: 'Open-air cinema', label: 'Something to watch' },
          { value: 'Jazz at the harbour', label: 'Something to listen to' },
          { value: 'Night market', label: 'Something to eat' },
        ],
      },
    },
    (turn) => {
      const { selected } = readResult(turn, 'choose_option');
      if (selected === undefined) return 'Then enjoy a quiet evening.';
      const { time } = readResult(turn, 'get_local_time');
      return `It is ${time} where you are, so there is time: go to “${selected}”.`;
    },
  ],
};

/** Fails the first time in each conversation, so that a retry succeeds. */
function createFailure(): ScriptScenario {
  const failed = new Set<string>();
  return {
    when: /fail|error|break/i,
    steps: [
      'I ask the model.',
      ({ context: { sessionId } }) => {
        if (failed.delete(sessionId)) return 'This time it answered.';
        failed.add(sessionId);
        return {
          error: {
            message: 'The model is overloaded. Nothing is lost: try again.',
            errorType: 'provider_overloaded',
            source: 'provider',
            retryable: true,
            provider: { name: 'demo' },
          },
        };
      },
    ],
  };
}

const SLOW: ScriptScenario = {
  when: /slow|long|story/i,
  steps: [
    { reasoning: 'This will take a while. Time to press Stop, or to cut the connection.' },
    ...[
      'Once upon a time there was a tool call. ',
      'It had been asked of a browser on a train, and the train was about to enter a tunnel. ',
      'The agent waited, because agents are patient when somebody else pays. ',
      'In the tunnel the connection broke, and the person, who had seen the question, said yes. ',
      'The answer had nowhere to go, so it stayed where it was and kept its name. ',
      'Then there was light, the connection came back, and the answer went out under the same name. ',
      'Once. Not twice, although the train entered another tunnel right away. ',
      'The end.',
    ].flatMap((sentence) => [sentence, { pauseMs: 600 }]),
  ],
};

const CHAT: ScriptScenario = {
  steps: [
    { reasoning: 'No tool needed, just say hello.' },
    'Hello! I am a scripted agent, but everything between you and me is real: the stream, the tools that run in your browser, and the questions only you can answer. ',
    'Try one of the suggestions, or tell me to order a lamp.',
  ],
};

function readResult(turn: ScriptTurn, toolName: string): Record<string, unknown> {
  const result = turn.result(toolName)?.result;
  return typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : {};
}

function readFiles({ context }: ScriptTurn): readonly { filename?: string; size?: number }[] {
  const { FILES: files } = context.trigger.input;
  return Array.isArray(files) ? files : [];
}

function isConfirmed(turn: ScriptTurn): boolean {
  return readResult(turn, 'confirm_order').confirmed === true;
}
