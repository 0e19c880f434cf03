import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../.scripts/package-entries.mjs';

/** The files below a folder of the repository whose names match, as paths from its root. */
export function listFiles(folder: string, name: RegExp): readonly string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(file, name);
    return name.test(entry.name) ? [file] : [];
  });
}
