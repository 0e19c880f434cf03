import type { Verdict } from './cases.ts';

/** The cases in which handrail does not end by itself as the person wants, by the page of the column. All others are `kept`. */
export const EXPECTED: Readonly<Record<string, Readonly<Record<string, Verdict>>>> = {};
