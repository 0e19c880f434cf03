/** Scenarios for what Standard Agents has and the other backends do not: secrets of a thread, and tools of the model's provider. */
import type { ScriptScenario } from 'handrail/server';

/** The tool of the provider that the script pretends to use. */
export const WEB_SEARCH = 'web_search';

const PARCEL: ScriptScenario = {
  when: /parcel/i,
  steps: [
    'The carrier wants a token. You give it to the server, and I never see it.',
    { call: 'set_parcel_token' },
    (turn) =>
      turn.result('set_parcel_token')?.error === undefined
        ? [{ call: 'track_parcel' }]
        : 'Without the token I cannot look.',
    (turn) => {
      const parcel = turn.result('track_parcel')?.result as { place: string; arrives: string } | undefined;
      return parcel === undefined ? [] : `It is in ${parcel.place} and arrives ${parcel.arrives}.`;
    },
  ],
};

const SEARCH: ScriptScenario = {
  when: /search|news/i,
  steps: [
    ({ context: { messages } }) => {
      const toolCallId = `search-${messages.length}`;
      const input = { query: 'quiet trains Vienna Graz' };
      return [
        {
          event: {
            type: 'tool-input-available',
            toolCallId,
            toolName: WEB_SEARCH,
            input,
            providerExecuted: true,
          },
        },
        { pauseMs: 400 },
        { event: { type: 'tool-output-available', toolCallId, output: SEARCH_RESULT } },
        'The 08:25 is the calmest train.',
      ];
    },
  ],
};

const SEARCH_RESULT = {
  actions: [
    { type: 'search', query: 'quiet trains Vienna Graz' },
    {
      type: 'open_page',
      url: 'https://trains.example/graz',
      sources: [{ type: 'url', url: 'https://trains.example/graz', title: 'Trains to Graz' }],
    },
  ],
};

export const STANDARD_AGENTS_SCENARIOS: readonly ScriptScenario[] = [PARCEL, SEARCH];
