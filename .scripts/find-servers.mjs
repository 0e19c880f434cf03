/**
 * Finds the programs of the servers that tests and the playground start: nats-server, redis-server and PostgreSQL. Debian puts them into folders
 * that are not on every PATH: /usr/sbin, and one folder for each version of PostgreSQL.
 */
import path from 'node:path';
import { findProgram, isExecutable, listFolder, programFolders } from './find-programs.mjs';

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
  return findProgram(folders, 'nats-server');
}

/**
 * @param {Partial<ServerPlaces>} [given] what differs from this machine (tests)
 * @returns {string | undefined} the absolute path of redis-server
 */
export function findRedisServer({ folders = usualFolders() } = {}) {
  return findProgram(folders, 'redis-server');
}

/**
 * Returns a folder that has both `initdb` and `postgres`, so that both are of one version. The newest version on Debian wins.
 *
 * @param {Partial<ServerPlaces>} [given] what differs from this machine (tests)
 * @returns {string | undefined} the absolute path of the folder
 */
export function findPostgres({ folders = usualFolders(), postgresVersions = '/usr/lib/postgresql' } = {}) {
  const versions = [...listFolder(postgresVersions)].sort((a, b) => Number(b) - Number(a));
  const candidates = [...folders, ...versions.map((version) => path.join(postgresVersions, version, 'bin'))];
  return candidates.find((folder) =>
    ['initdb', 'postgres'].every((program) => isExecutable(path.join(folder, program))),
  );
}

function usualFolders() {
  return programFolders('/usr/sbin', '/usr/local/bin');
}
