import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { staleReason } from '../../.scripts/install-state.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-install-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const react = { version: '19.0.0', integrity: 'sha512-a' };

function lock(packages: Record<string, object>) {
  write('package-lock.json', { packages: { '': { name: 'handrail' }, ...packages } });
}

function installed(packages: Record<string, object>) {
  write('node_modules/.package-lock.json', { packages });
}

function write(name: string, content: unknown) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

describe('staleReason', () => {
  test('a bare clone has nothing installed', () => {
    lock({ 'node_modules/react': react });
    expect(staleReason(folder)).toBe('nothing is installed');
  });

  test('an interrupted installation counts as none: npm writes its account last', () => {
    lock({ 'node_modules/react': react });
    mkdirSync(path.join(folder, 'node_modules/react'), { recursive: true });
    expect(staleReason(folder)).toBe('nothing is installed');
    write('node_modules/.package-lock.json', '{"packages":');
    expect(staleReason(folder)).toBe('nothing is installed');
  });

  test('what the lockfile names is there: nothing to do', () => {
    lock({ 'node_modules/react': react });
    installed({ 'node_modules/react': { ...react, resolved: 'anywhere' }, 'node_modules/extra': react });
    expect(staleReason(folder)).toBeUndefined();
  });

  test('another version, another content and a missing package are stale, and named', () => {
    lock({ 'node_modules/react': react });
    installed({ 'node_modules/react': { ...react, version: '18.0.0' } });
    expect(staleReason(folder)).toBe('node_modules/react is 18.0.0 instead of 19.0.0');
    installed({ 'node_modules/react': { ...react, integrity: 'sha512-b' } });
    expect(staleReason(folder)).toBe('node_modules/react is 19.0.0 instead of 19.0.0');
    installed({});
    expect(staleReason(folder)).toBe('node_modules/react is missing instead of 19.0.0');
  });

  test('an optional package may be absent, for it may be for another platform, but not wrong', () => {
    lock({ 'node_modules/fsevents': { ...react, optional: true } });
    installed({});
    expect(staleReason(folder)).toBeUndefined();
    installed({ 'node_modules/fsevents': { ...react, version: '1.0.0' } });
    expect(staleReason(folder)).toBe('node_modules/fsevents is 1.0.0 instead of 19.0.0');
  });

  test('without a lockfile it says how to get one', () => {
    expect(() => staleReason(folder)).toThrow(/package-lock\.json is missing or broken.*npm install/);
    write('package-lock.json', 'not json');
    expect(() => staleReason(folder)).toThrow('missing or broken');
  });
});
