/**
 * The address of a page a server wants opened, judged before anybody may say yes (MCP elicitation, URL mode: the full
 * address and clearly its host, warnings about odd ones, nothing but `https:`, or `http:` on this computer).
 */
import { displayText } from '../text/safe-text.ts';

/** What is odd about an address, in the order a person should hear of it. */
export type UrlWarning = 'credentials' | 'punycode' | 'port';
/** Why an address is not opened at all. */
export type UrlBlockReason = 'unreadable' | 'scheme' | 'too-long';

export type CheckedUrl =
  | {
      readonly state: 'openable';
      /** What is shown is what is opened: the address as the browser reads it, its host in ASCII. */
      readonly href: string;
      readonly before: string;
      readonly host: string;
      readonly after: string;
      readonly oddities: readonly UrlWarning[];
    }
  | { readonly state: 'blocked'; readonly text: string; readonly obstacle: UrlBlockReason };

/** A longer address cannot be read, and consent to what nobody read is none. */
const MAX_URL_LENGTH = 4_000;

export function checkUrl(address: unknown): CheckedUrl {
  const text = typeof address === 'string' ? address : '';
  const url = text.length > MAX_URL_LENGTH ? undefined : readUrl(text);
  const obstacle = findBlockReason(text, url);
  if (url === undefined || obstacle !== undefined) {
    return { state: 'blocked', text: displayText(text), obstacle: obstacle ?? 'unreadable' };
  }
  const { href, hostname } = url;
  const authority = href.indexOf('//') + 2;
  // An @ of the path or the query comes after the first slash; one in the credentials is written as %40.
  const start = authority + href.slice(authority, href.indexOf('/', authority)).lastIndexOf('@') + 1;
  return {
    state: 'openable',
    href,
    before: href.slice(0, start),
    host: hostname,
    after: href.slice(start + hostname.length),
    oddities: findWarnings(url),
  };
}

function readUrl(text: string): URL | undefined {
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
  const found: readonly (readonly [UrlWarning, boolean])[] = [
    ['credentials', username + password !== ''],
    ['punycode', hostname.split('.').some((label) => label.startsWith('xn--'))],
    ['port', port !== ''],
  ];
  return found.flatMap(([oddity, isThere]) => (isThere ? oddity : []));
}
