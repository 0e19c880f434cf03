/** Plays every case with every library. `npm run compare` does so with all of them; the columns of handrail alone must hold. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { root } from '../../.scripts/package-entries.mjs';
import { CASES, type Verdict } from './cases.ts';
import { EXPECTED } from './expected.ts';
import { type Library, OWN, PEERS } from './libraries.ts';
import { buildStages, type Stages } from './open-library.ts';
import { toTable } from './table.ts';

const isWhole = process.env.HANDRAIL_COMPARE === 'all';
const libraries = isWhole ? [...OWN, ...PEERS] : OWN;
const verdicts = new Map<string, Verdict>();
const keyOf = (library: Library, name: string) => `${library.name}: ${name}`;
let stages: Stages;

beforeAll(async () => {
  stages = await buildStages(libraries);
  return () => stages.close();
});

afterAll(() => {
  if (!isWhole) return;
  const table = toTable(libraries, (library, { name }) => verdicts.get(keyOf(library, name)));
  console.log(`\n${table}`);
  const page = `${root}docs/compared.md`;
  const markdown = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    markdown.replace(/(?<=## The table\n\n)[\s\S]*?(?=\n## )/, () => table),
  );
});

describe.each(libraries)('$name', (library) => {
  // Most of the time of a case is waiting, and each has a server and a browser context of its own.
  it.concurrent.for(CASES)('$name', async ({ name, play }, { expect }) => {
    const stage = await stages.open(library);
    const verdict = await play(stage).finally(() => stage.close());
    verdicts.set(keyOf(library, name), verdict);
    // The columns of others are what they are.
    expect(verdict).toBe(OWN.includes(library) ? (EXPECTED[library.page]?.[name] ?? 'kept') : verdict);
  });
});
