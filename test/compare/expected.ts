import type { Verdict } from './cases.ts';

/** The cases in which handrail does not end by itself as the person wants, by the page of the column. All others are `kept`. */
export const EXPECTED: Readonly<Record<string, Readonly<Record<string, Verdict>>>> = {
  'handrail-ai-sdk': {
    // A route of the AI SDK pushes nothing to a page that is at rest.
    'the first device, after another one has answered': 'lost',
    // The route has lost the response, and takes the yes that "Try again" posts for a new one.
    'the response to Allow is lost': 'doubled',
    'the connection is cut in the middle of a text': 'by hand',
    // The answer to an approval of the AI SDK is a yes or a no.
    'the person corrects the arguments': 'not offered',
  },
};
