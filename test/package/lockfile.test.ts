import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../.scripts/package-entries.mjs';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Packages = Readonly<Record<string, Locked>>;

/** What a package gets when it asks for another one: the nearest node_modules that has it. */
function resolveLocked(packages: Packages, from: string, name: string): Locked | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`];
    if (found !== undefined || folder === '') return found;
  }
}

/** Optional packages that `npm ci` would miss: it wants those of every platform in the lockfile, installed or not. */
function missingOptional(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, range]) => {
        const version = resolveLocked(packages, place, name)?.version;
        return version === undefined || (/^\d/.test(range) && version !== range);
      })
      .map(([name, range]) => `${place} wants ${name}@${range}`),
  );
}

describe('package-lock.json', () => {
  const { packages }: { packages: Packages } = JSON.parse(
    readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
  );

  test('names no registry, so it installs from any', () => {
    expect(Object.keys(packages).filter((place) => packages[place]?.resolved !== undefined)).toEqual([]);
  });

  test('is complete for every platform', () => {
    expect(missingOptional(packages)).toEqual([]);
    const incomplete = {
      'node_modules/a': { optionalDependencies: { 'a-linux': '1.0.0', 'a-mac': '1.0.0', 'a-win': '1.0.0' } },
      'node_modules/a-linux': { version: '1.0.0' },
      'node_modules/a-win': { version: '0.9.0' },
    };
    expect(missingOptional(incomplete)).toEqual([
      'node_modules/a wants a-mac@1.0.0',
      'node_modules/a wants a-win@1.0.0',
    ]);
  });
});
