import type { ToolCallPart, UIMessage, UIMessagePart } from '../../src/core/state/message.ts';

export function text(words: string, status: 'streaming' | 'done' = 'done'): UIMessagePart {
  return { type: 'text', text: words, status };
}

export function message(
  id: string,
  role: UIMessage['role'],
  parts: readonly UIMessagePart[],
  status: UIMessage['status'] = 'done',
): UIMessage {
  return { id, role, parts, status, createdAt: new Date('2026-01-05T10:00:00Z') };
}

/** A successful call on the server. */
export const weatherCall: ToolCallPart = {
  type: 'tool-call',
  toolCallId: 'call-1',
  toolName: 'get-weather',
  args: { city: 'Graz' },
  result: { degrees: 21, sky: 'clear' },
  status: 'done',
  executedBy: 'server',
};

/** A search that the provider of the model ran, with its steps, its sources and a file. */
export const searchCall: ToolCallPart = {
  type: 'tool-call',
  toolCallId: 'search-1',
  toolName: 'provider:web_search',
  args: {},
  result: {
    actions: [
      { type: 'search', query: 'quiet trains Vienna Graz' },
      {
        type: 'open_page',
        url: 'https://trains.example/graz',
        sources: [
          { type: 'url', url: 'https://trains.example/graz', title: 'Trains to Graz' },
          { type: 'url', url: 'https://www.timetable.example/vienna-graz' },
        ],
      },
    ],
    artifacts: [
      {
        type: 'file',
        title: 'timetable.csv',
        mediaType: 'text/csv',
        url: 'https://files.example/timetable.csv',
      },
    ],
  },
  status: 'done',
  executedBy: 'provider',
};

/** Markdown of a model: a list, a link, and an image that is not fetched. */
export const markdownAnswer = `The **08:25** is the calmest:

1. It has seats left
2. It needs no change

Details are on [the page of the railway](https://trains.example/graz).

![A map of the line](https://trains.example/map.png)`;

/** One part of every kind. */
export const conversation: readonly UIMessage[] = [
  message('1', 'user', [
    {
      type: 'file',
      id: 'f1',
      mediaType: 'application/pdf',
      url: 'https://files.example/trip.pdf',
      filename: 'trip.pdf',
      size: 48_200,
    },
    text('Can you check my trip to Graz and book the train?'),
  ]),
  message('2', 'assistant', [
    {
      type: 'reasoning',
      text: 'The file names a date. I look up the weather and the trains for it.',
      status: 'done',
    },
    text('I had a look at your plan and at the weather.'),
    {
      type: 'tool-call',
      toolCallId: 'c1',
      toolName: 'get-weather',
      args: { city: 'Graz', date: '2026-01-09' },
      result: { degrees: 4, sky: 'clear' },
      status: 'done',
      executedBy: 'server',
    },
    {
      type: 'tool-call',
      toolCallId: 'c2',
      toolName: 'read-calendar',
      args: {},
      error: 'The calendar is locked',
      status: 'error',
      outcome: 'failed',
      executedBy: 'client',
    },
    {
      type: 'tool-call',
      toolCallId: 'c3',
      toolName: 'book-train',
      args: { from: 'Vienna', to: 'Graz' },
      status: 'done',
      outcome: 'declined',
      executedBy: 'client',
    },
    {
      type: 'operation',
      operationId: 'o1',
      name: 'Compared 14 connections',
      operationType: 'search',
      status: 'done',
    },
    {
      type: 'source',
      sourceType: 'url',
      id: 's1',
      url: 'https://trains.example/graz',
      title: 'Trains to Graz',
    },
    {
      type: 'object',
      id: 'j1',
      typeName: 'connection',
      object: { leaves: '08:25', arrives: '11:02', price: '24 EUR' },
      status: 'done',
    },
    text(
      'The **08:25** is the calmest:\n\n1. It has seats left\n2. It needs no change\n\nDetails are on [the page of the railway](https://trains.example/graz).',
    ),
  ]),
];

/** Enough text to scroll. */
export function longConversation(count: number): readonly UIMessage[] {
  return Array.from({ length: count }, (_, index) =>
    message(`m${index}`, index % 2 === 0 ? 'user' : 'assistant', [
      text(
        index % 2 === 0
          ? `Question ${index / 2 + 1}`
          : `Answer ${(index + 1) / 2}. ${'It goes on for a while. '.repeat(6)}`,
      ),
    ]),
  );
}
