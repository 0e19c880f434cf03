/** Finds programs of this machine without running them. */
import { accessSync, constants, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * @param {readonly string[]} folders the preferred one first
 * @param {string} name
 * @returns {string | undefined} the absolute path of the first one that can be run
 */
export function findProgram(folders, name) {
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

/**
 * @param {readonly string[]} others folders that are not on every PATH
 * @returns {readonly string[]} the folders of the PATH, then the others
 */
export function programFolders(...others) {
  return [...(process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute), ...others];
}

/**
 * @param {string} folder
 * @returns {readonly string[]} the names in it; none if it is not there
 */
export function listFolder(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param {string} file */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
