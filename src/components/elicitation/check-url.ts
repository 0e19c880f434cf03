import type { UrlBlockReason, UrlWarning } from '../text/elicitation-labels.ts';
import { displayText } from '../text/safe-text.ts';

export type CheckedUrl =
  | {
      readonly status: 'openable';
      /** The URL as the browser reads it, with its host in ASCII. The dialog shows and opens this very text. */
      readonly href: string;
      /** `before`, `host` and `after` together are `href`. */
      readonly before: string;
      readonly host: string;
      readonly after: string;
      readonly warnings: readonly UrlWarning[];
    }
  | { readonly status: 'blocked'; readonly text: string; readonly reason: UrlBlockReason };

/** A person cannot check a longer URL by eye. */
const MAX_URL_LENGTH = 4_000;

/**
 * Checks the URL of a page that an MCP server wants opened, by the rules of URL mode (MCP specification, Elicitation):
 * show the full URL and its host, warn of Punycode, and open nothing but `https:`, or `http:` on this computer.
 */
export function checkUrl(address: unknown): CheckedUrl {
  const text = typeof address === 'string' ? address : '';
  const url = text.length > MAX_URL_LENGTH ? undefined : parseUrl(text);
  const reason = findBlockReason(text, url);
  if (url === undefined || reason !== undefined) {
    return { status: 'blocked', text: displayText(text), reason: reason ?? 'unreadable' };
  }
  const { href, hostname } = url;
  const authority = href.indexOf('//') + 2;
  // The browser writes an @ in the credentials as %40, and an @ of the path comes after the first slash.
  const start = authority + href.slice(authority, href.indexOf('/', authority)).lastIndexOf('@') + 1;
  return {
    status: 'openable',
    href,
    before: href.slice(0, start),
    host: hostname,
    after: href.slice(start + hostname.length),
    warnings: findWarnings(url),
  };
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function findBlockReason(text: string, url: URL | undefined): UrlBlockReason | undefined {
  if ((url?.href ?? text).length > MAX_URL_LENGTH) return 'too-long';
  if (url === undefined) return 'unreadable';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isThisComputer(url.hostname)))
    return undefined;
  return 'scheme';
}

function isThisComputer(host: string): boolean {
  return /^(?:\[::1\]|(?:.+\.)?localhost\.?|127(?:\.\d+){3})$/.test(host);
}

function findWarnings({ username, password, hostname, port }: URL): readonly UrlWarning[] {
  const warnings: UrlWarning[] = [];
  if (username + password !== '') warnings.push('credentials');
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) warnings.push('punycode');
  if (port !== '') warnings.push('port');
  return warnings;
}
