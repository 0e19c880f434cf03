import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../.scripts/package-entries.mjs';
import { parseSource } from './read-sources.ts';

/** Returns the packages that a built file imports, directly, through other files, or on demand. */
export function packagesOf(file: string): string[] {
  const packages = new Set<string>();
  const files = new Set([path.join(root, 'dist', file)]);
  for (const current of files) {
    for (const { specifier } of parseSource(current, readFileSync(current, 'utf8')).imports) {
      if (specifier.startsWith('.')) files.add(path.join(path.dirname(current), specifier));
      else packages.add(packageName(specifier));
    }
  }
  return [...packages].sort();
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
