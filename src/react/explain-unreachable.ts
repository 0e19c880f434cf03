import { readFailedAddress } from '../shared/failed-addresses.ts';
import { warnOnce } from '../shared/warn-once.ts';

/**
 * Says why a request got no response, as far as a page may know. To a page, a server that is down and one that refuses it (CORS) look the
 * same, but a `no-cors` request succeeds only where a server answers.
 *
 * @param cause what `fetch` threw
 * @param send sends the probe; for tests
 */
export async function explainUnreachable(cause: unknown, send: typeof fetch = fetch): Promise<void> {
  const address = readFailedAddress(cause);
  if (address === undefined || typeof location === 'undefined' || !navigator.onLine) return;
  const url = new URL(address, location.href);
  const shown = `${url.origin}${url.pathname}`;
  const isForeign = url.origin !== location.origin;
  if (!isForeign || !(await answers(url, send))) {
    warnOnce(
      `No server answered at ${shown}. Start it, or correct the \`url\` of the transport. A proxy, an extension or a Content Security Policy ` +
        '(connect-src) can be in the way too.',
    );
    return;
  }
  warnOnce(
    `A server answers at ${shown}, but the browser refused or blocked its response by CORS. Let the server answer OPTIONS and POST with ` +
      `\`access-control-allow-origin: ${location.origin}\` and \`access-control-allow-headers: content-type\`, and with ` +
      '`access-control-allow-credentials: true` for cookies; or serve page and agent from one origin.',
  );
}

async function answers(url: URL, send: typeof fetch): Promise<boolean> {
  try {
    await send(url, { method: 'HEAD', mode: 'no-cors', credentials: 'omit', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}
