import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;

/**
 * Runs `work` while no other process holds the lock: two `npm test` at once must not both install.
 * A lock whose owner is gone is taken over.
 *
 * @template Result
 * @param {string} file
 * @param {() => Result | Promise<Result>} work
 * @param {object} [options]
 * @param {(owner: number) => void} [options.onWait] told once when somebody else holds it
 * @param {() => Promise<unknown>} [options.pause] between two looks
 * @returns {Promise<Result>}
 */
export async function withLock(file, work, { onWait, pause = () => sleep(POLL_MS) } = {}) {
  const mine = `${file}.${randomUUID()}`;
  writeFileSync(mine, String(process.pid));
  let told = false;
  try {
    while (!take(mine, file)) {
      const owner = ownerOf(file);
      if (owner === undefined) continue;
      if (!isAlive(owner)) rmSync(file, { force: true });
      else {
        if (!told) onWait?.(owner);
        told = true;
        await pause();
      }
    }
  } finally {
    rmSync(mine, { force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * A link appears with its content, so nobody ever reads a lock without an owner.
 * @param {string} mine
 * @param {string} file
 */
function take(mine, file) {
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be signalled, but it lives.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
