import { readFileSync } from 'node:fs';
import { root } from '../../.scripts/package-entries.mjs';
import { CASES, type Case, type Verdict } from './cases.ts';
import type { Library } from './libraries.ts';

/** Returns the table as docs/compared.md shows it, with the date and the versions. */
export function toTable(
  libraries: readonly Library[],
  verdictOf: (library: Library, one: Case) => Verdict | undefined,
): string {
  const head = ['what happens', 'what has to come of it', ...libraries.map(({ name }) => name)];
  const rows = CASES.map((one) => [
    one.name,
    one.expects,
    ...libraries.map((library) => {
      const verdict = verdictOf(library, one) ?? 'not played';
      return verdict === 'kept' ? verdict : `**${verdict}**`;
    }),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const versions = [...new Set(libraries.map(({ packageName }) => packageName))].map(
    (name) => `\`${name}\` ${readVersion(name)}`,
  );
  const date = new Date().toISOString().slice(0, 10);
  const table = [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
  return `Played on ${date} in Chromium, with ${versions.join(', ')}.\n\n${table}\n`;
}

function readVersion(name: string): string {
  const folder = name === 'handrail' ? root : `${root}test/compare/node_modules/${name}/`;
  return JSON.parse(readFileSync(`${folder}package.json`, 'utf8')).version;
}
