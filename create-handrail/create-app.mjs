/** Writes an app: the folders of its template and its backend, copied over each other. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BACKENDS, TEMPLATES } from './choices.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The version of this package, and of the handrail that its apps get: the two are released together. */
export const { version } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));

/** npm leaves a file of the second name out of a package. */
const RENAMED = { _gitignore: '.gitignore' };

/**
 * Writes an app into a folder, which is made if it is not there.
 *
 * @param {string} folder
 * @param {{ readonly template: string, readonly backend: string }} choice
 * @throws Error that names what is wrong and what to do, before anything is written
 */
export function createApp(folder, { template, backend }) {
  const parts = [pick('template', TEMPLATES, template), pick('backend', BACKENDS, backend)];
  const { templates, leavesOut = [] } = pick('backend', BACKENDS, backend);
  if (templates !== undefined && !Object.hasOwn(templates, template)) {
    throw new Error(
      `The backend "${backend}" has no sockets here, so it does not go with the template "${template}". Nothing was written. Take one of: ${Object.keys(templates).join(', ')}.`,
    );
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(
      `The folder ${folder} is not empty. Nothing was written. Name a folder that does not exist yet.`,
    );
  }
  const folders = [...parts.flatMap((part) => part.folders), ...(templates?.[template] ?? [])].map((name) =>
    path.join(here, name),
  );
  mkdirSync(folder, { recursive: true });
  for (const from of folders) {
    cpSync(from, folder, { recursive: true, filter: (file) => file !== path.join(from, 'package.json') });
  }
  for (const [packed, name] of Object.entries(RENAMED))
    renameSync(path.join(folder, packed), path.join(folder, name));
  for (const name of leavesOut) rmSync(path.join(folder, name), { recursive: true, force: true });
  const manifest = { name: toPackageName(folder), ...joinManifests(folders) };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * @template Value
 * @param {string} kind
 * @param {Readonly<Record<string, Value>>} known
 * @param {string} name
 * @returns {Value}
 */
function pick(kind, known, name) {
  const found = Object.hasOwn(known, name) ? known[name] : undefined;
  if (found !== undefined) return found;
  throw new Error(
    `There is no ${kind} "${name}". Nothing was written. Take one of: ${Object.keys(known).join(', ')}.`,
  );
}

/**
 * The package.json of each folder adds to those before it. A package whose version is null is taken out.
 *
 * @param {readonly string[]} folders
 */
function joinManifests(folders) {
  /** @type {Record<string, any>} */
  const joined = { dependencies: { handrail: `^${version}` } };
  for (const folder of folders) {
    const file = path.join(folder, 'package.json');
    if (!existsSync(file)) continue;
    for (const [field, value] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
      joined[field] = typeof value === 'object' ? sortKeys({ ...joined[field], ...value }) : value;
    }
  }
  const { private: isPrivate, type, engines, scripts, dependencies, devDependencies } = joined;
  return { private: isPrivate, type, engines, scripts, dependencies, devDependencies };
}

/** @param {Readonly<Record<string, unknown>>} object */
function sortKeys(object) {
  const kept = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {string} folder */
function toPackageName(folder) {
  const name = path
    .basename(path.resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-');
  return name.replaceAll(/^-+|-+$/g, '') || 'app';
}
