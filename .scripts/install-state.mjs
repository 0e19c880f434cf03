import { readFileSync } from 'node:fs';

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockedPackage
 */

/**
 * Why node_modules is not what the lockfile asks for, or undefined when it is.
 *
 * npm keeps its own account of what it installed in node_modules/.package-lock.json and writes it last, so an
 * interrupted installation is stale too.
 *
 * @param {string} folder where package-lock.json lies
 * @returns {string | undefined}
 * @throws Error when there is no readable lockfile
 */
export function staleReason(folder) {
  const wanted = readPackages(`${folder}/package-lock.json`);
  if (wanted === undefined) {
    throw new Error(
      `${folder}/package-lock.json is missing or broken. Restore it, or make one with "npm install".`,
    );
  }
  const installed = readPackages(`${folder}/node_modules/.package-lock.json`);
  if (installed === undefined) return 'nothing is installed';
  for (const [place, locked] of Object.entries(wanted)) {
    const there = installed[place];
    // The root is no package; what is optional may be for another platform.
    if (place === '' || (there === undefined && (locked.optional || locked.devOptional))) continue;
    if (there?.version === locked.version && there?.integrity === locked.integrity) continue;
    return `${place} is ${there?.version ?? 'missing'} instead of ${locked.version}`;
  }
  return undefined;
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
