/**
 * Finds the programs of the servers that tests and the playground start: nats-server, redis-server and PostgreSQL. Debian puts them into folders
 * that are not on every PATH: /usr/sbin, and one folder for each version of PostgreSQL.
 */
import { accessSync, constants, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} ServerPlaces
 * @property {readonly string[]} folders       folders with programs, the preferred one first
 * @property {string} postgresVersions         the folder that has a folder for each version of PostgreSQL
 */

/**
 * @param {Partial<ServerPlaces>} [given] what differs from this machine (tests)
 * @returns {string | undefined} the absolute path of nats-server
 */
export function findNatsServer({ folders = usualFolders() } = {}) {
  return folders.map((folder) => path.join(folder, 'nats-server')).find(isExecutable);
}

/**
 * @param {Partial<ServerPlaces>} [given] what differs from this machine (tests)
 * @returns {string | undefined} the absolute path of redis-server
 */
export function findRedisServer({ folders = usualFolders() } = {}) {
  return folders.map((folder) => path.join(folder, 'redis-server')).find(isExecutable);
}

/**
 * Returns a folder that has both `initdb` and `postgres`, so that both are of one version. The newest version on Debian wins.
 *
 * @param {Partial<ServerPlaces>} [given] what differs from this machine (tests)
 * @returns {string | undefined} the absolute path of the folder
 */
export function findPostgres({ folders = usualFolders(), postgresVersions = '/usr/lib/postgresql' } = {}) {
  const versions = listFolder(postgresVersions).sort((a, b) => Number(b) - Number(a));
  const candidates = [...folders, ...versions.map((version) => path.join(postgresVersions, version, 'bin'))];
  return candidates.find((folder) =>
    ['initdb', 'postgres'].every((program) => isExecutable(path.join(folder, program))),
  );
}

function usualFolders() {
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  return [...onPath, '/usr/sbin', '/usr/local/bin'];
}

/** @param {string} folder */
function listFolder(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
