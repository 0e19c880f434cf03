import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFirefox, findWebKit, missingFirefox, missingWebKit } from '../../.scripts/find-browsers.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'handrail-browsers-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function place(name: string, mode = 0o755): string {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}

const places = () => ({ folders: [path.join(root, 'bin')], libraries: path.join(root, 'lib') });

test('findFirefox prefers the Firefox of Debian, and passes over what cannot run', () => {
  expect(missingFirefox(places())).toContain('apt-get install firefox-esr');
  const other = place('bin/firefox');
  place('bin/firefox-esr', 0o644);
  expect(findFirefox(places())).toBe(other);
  const debian = place('bin/firefox-esr');
  expect(findFirefox(places())).toBe(debian);
  expect(missingFirefox(places())).toBeUndefined();
});

test('findWebKit needs the driver, its browser in any version, and a display', () => {
  const driver = place('bin/WebKitWebDriver');
  const xvfb = place('bin/Xvfb');
  place('lib/x86_64-linux-gnu/other-4.1/MiniBrowser');
  expect(findWebKit(places())).toBeUndefined();
  expect(missingWebKit(places())).toContain('apt-get install webkit2gtk-driver xvfb');
  const miniBrowser = place('lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser');
  expect(findWebKit(places())).toEqual({ driver, xvfb, miniBrowser });
  expect(missingWebKit(places())).toBeUndefined();
});
