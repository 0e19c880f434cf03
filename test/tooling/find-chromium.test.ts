import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM_VARIABLES, findChromium } from '../../.scripts/find-chromium.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-find-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function place(name: string, content = '#!/bin/sh\necho "Chromium 150.0.1"\n', mode = 0o755): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

/** A machine with nothing on it but what the test adds. */
const nothing = {
  platform: 'linux' as const,
  env: {},
  installPlaces: [],
  playwrightDownload: () => undefined,
  works: () => true,
};

describe('findChromium', () => {
  test('finds none on an empty machine', () => {
    expect(findChromium(nothing)).toBeUndefined();
  });

  test.each(CHROMIUM_VARIABLES)('takes the file that %s names before any other', (variable) => {
    const named = place('mine/browser');
    place('bin/chromium');
    expect(findChromium({ ...nothing, env: { [variable]: named, PATH: path.join(folder, 'bin') } })).toBe(
      named,
    );
  });

  test('a variable that names no executable is an error, not a reason to look elsewhere', () => {
    place('bin/chromium');
    const env = { CHROME_BIN: path.join(folder, 'gone'), PATH: path.join(folder, 'bin') };
    expect(() => findChromium({ ...nothing, env })).toThrow(
      /CHROME_BIN is ".*gone", which is no executable file/,
    );
    const plain = place('plain', 'text', 0o644);
    expect(() => findChromium({ ...nothing, env: { CHROME_BIN: plain } })).toThrow('CHROME_BIN');
    expect(() => findChromium({ ...nothing, env: { CHROME_BIN: folder } })).toThrow('CHROME_BIN');
  });

  test('an empty variable counts as not set', () => {
    expect(findChromium({ ...nothing, env: { CHROME_BIN: '' } })).toBeUndefined();
  });

  test('looks through PATH, Chromium before Chrome', () => {
    const chrome = place('a/google-chrome');
    const PATH = `${path.join(folder, 'a')}:${path.join(folder, 'b')}`;
    expect(findChromium({ ...nothing, env: { PATH } })).toBe(chrome);
    const chromium = place('b/chromium');
    expect(findChromium({ ...nothing, env: { PATH } })).toBe(chromium);
  });

  test('follows links and ignores relative folders, folders of the name and files that cannot run', () => {
    mkdirSync(path.join(folder, 'bin/chromium'), { recursive: true });
    place('bin/chromium-browser', 'text', 0o644);
    symlinkSync(place('real'), path.join(folder, 'bin/google-chrome'));
    const env = { PATH: `.:relative:${path.join(folder, 'bin')}` };
    expect(findChromium({ ...nothing, env })).toBe(path.join(folder, 'bin/google-chrome'));
  });

  test('passes over a stand-in that is no browser', () => {
    place('bin/chromium-browser', '#!/bin/sh\necho "Please install the snap"; exit 1\n');
    const real = place('bin/google-chrome');
    const { works: _, ...reallyAsk } = nothing;
    expect(findChromium({ ...reallyAsk, env: { PATH: path.join(folder, 'bin') } })).toBe(real);
  });

  test('then the usual install places, then what Playwright downloaded', () => {
    const installed = place('opt/chrome');
    const downloaded = place('cache/chrome');
    const playwrightDownload = () => downloaded;
    const installPlaces = [path.join(folder, 'gone'), installed];
    expect(findChromium({ ...nothing, installPlaces, playwrightDownload })).toBe(installed);
    expect(findChromium({ ...nothing, playwrightDownload })).toBe(downloaded);
    expect(findChromium({ ...nothing, playwrightDownload, works: () => false })).toBeUndefined();
    expect(findChromium({ ...nothing, playwrightDownload: () => path.join(folder, 'gone') })).toBeUndefined();
  });
});
