import { findChromium } from '../../.scripts/find-chromium.mjs';

/** Arguments of a test browser: no GPU, no first-run pages, no background requests. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Playwright launch options for the Chromium of this machine (`npm test` finds or installs one first).
 * If none was found, the error of Playwright says what is missing.
 */
export function chromiumLaunchOptions(): { executablePath?: string; args: string[] } {
  const executablePath = findChromium();
  // Chromium refuses to run its sandbox as root, which containers usually are.
  const args = process.getuid?.() === 0 ? [...FLAGS, '--no-sandbox'] : FLAGS;
  return executablePath === undefined ? { args } : { executablePath, args };
}
