import { describe, expect, test } from 'vitest';
import { checkUrl } from '../../../src/components/elicitation/check-url.ts';

describe('checkUrl splits the URL around its host', () => {
  test.each([
    [
      'https://accounts.example.com/connect?to=a@b#c',
      'https://',
      'accounts.example.com',
      '/connect?to=a@b#c',
    ],
    ['https://bank.example@evil.test/', 'https://bank.example@', 'evil.test', '/'],
    ['https://evil.test:x@evil.test:8443/evil.test', 'https://evil.test:x@', 'evil.test', ':8443/evil.test'],
    ['https://a%40b:@bank.example/@c', 'https://a%40b@', 'bank.example', '/@c'],
    // As the browser reads the text.
    [' https:\\\\evil.test\\@bank.example ', 'https://', 'evil.test', '/@bank.example'],
    ['https://bücher.example', 'https://', 'xn--bcher-kva.example', '/'],
    ['https://ex\tample.com/\u202etxt', 'https://', 'example.com', '/%E2%80%AEtxt'],
    ['https://[2001:db8::1]/x', 'https://', '[2001:db8::1]', '/x'],
  ])('%s', (address, before, host, after) => {
    const page = checkUrl(address);
    expect(page).toMatchObject({ status: 'openable', before, host, after, href: before + host + after });
  });
});

describe('checkUrl warns', () => {
  test.each([
    ['https://example.com/', []],
    ['https://example.com:443/', []],
    ['https://example.com:8443/', ['port']],
    ['http://localhost:3000/', ['port']],
    ['https://user@example.com/', ['credentials']],
    ['https://:secret@example.com/', ['credentials']],
    ['https://bücher.example/', ['punycode']],
    ['https://xn--bcher-kva.example/', ['punycode']],
    // A Cyrillic а in a Latin name, as typed and encoded; a name that is Cyrillic throughout.
    ['https://\u0430pple.example/', ['punycode']],
    ['https://xn--pple-43d.example/', ['punycode']],
    ['https://пример.example/', ['punycode']],
    ['https://u:p@xn--pple-43d.example:81/', ['credentials', 'punycode', 'port']],
  ])('of %s: %j', (address, warnings) => {
    expect(checkUrl(address)).toMatchObject({ status: 'openable', warnings });
  });
});

describe('checkUrl blocks', () => {
  test.each([
    ['javascript:alert(1)', 'scheme'],
    [' JavaScript:alert(1)', 'scheme'],
    ['java\nscript:alert(1)', 'scheme'],
    ['data:text/html,<script>alert(1)</script>', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['blob:https://example.com/1', 'scheme'],
    ['mailto:ada@example.com', 'scheme'],
    ['http://example.com/', 'scheme'],
    ['http://localhost.example.com/', 'scheme'],
    ['http://127.0.0.1.example.com/', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['ftp://localhost/', 'scheme'],
    ['javascript://localhost/%0Aalert(1)', 'scheme'],
    ['/relative', 'unreadable'],
    ['example.com', 'unreadable'],
    ['https://', 'unreadable'],
    ['https://exa mple.com', 'unreadable'],
    ['', 'unreadable'],
    [undefined, 'unreadable'],
    [{ href: 'https://example.com' }, 'unreadable'],
    [`https://example.com/${'a'.repeat(4_000)}`, 'too-long'],
    // Short as text, too long once it is encoded.
    [`https://example.com/${'ü'.repeat(1_000)}`, 'too-long'],
  ])('%s: %s', (address, reason) => {
    expect(checkUrl(address)).toMatchObject({ status: 'blocked', reason });
  });

  test.each(['http://localhost/', 'http://app.localhost/', 'http://127.0.0.1/', 'http://[::1]/'])(
    'not %s, which stays on this computer',
    (address) => {
      expect(checkUrl(address)).toMatchObject({ status: 'openable', href: address, warnings: [] });
    },
  );
});
