import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readManifest, root } from '../../.scripts/package-entries.mjs';
import { BACKENDS, TEMPLATES } from '../../create-handrail/choices.mjs';
import { createApp } from '../../create-handrail/create-app.mjs';

const SCRIPTED = { template: 'vite-node', backend: 'scripted' };

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'create-handrail-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the program as npm does, with nobody at a terminal. */
function runCli(...args: string[]): Promise<{ code: number; out: string; errors: string }> {
  const cli = path.join(root, 'create-handrail', 'cli.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], (error, out, errors) => {
      resolve({ code: Number(error?.code ?? 0), out, errors });
    });
  });
}

describe('create-handrail', () => {
  test('writes an app that is named after its folder and gets the handrail of the same version', () => {
    const folder = path.join(newFolder(), 'My Shop');
    createApp(folder, SCRIPTED);
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    expect(manifest.name).toBe('my-shop');
    expect(manifest.dependencies.handrail).toBe(`^${readManifest().version}`);
    expect(manifest.scripts).toMatchObject({ dev: expect.any(String), start: expect.any(String) });
    expect(readdirSync(folder)).toContain('.gitignore');
    expect(readdirSync(folder)).not.toContain('_gitignore');
  });

  test('writes into an empty folder that exists', () => {
    const folder = newFolder();
    createApp(folder, SCRIPTED);
    expect(readdirSync(folder)).toContain('package.json');
  });

  test('refuses a folder that is not empty and leaves it as it is', () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, 'mine.txt'), 'mine');
    expect(() => createApp(folder, SCRIPTED)).toThrow(
      `The folder ${folder} is not empty. Nothing was written. Name a folder that does not exist yet.`,
    );
    expect(readdirSync(folder)).toEqual(['mine.txt']);
  });

  test.each([
    ['template', { template: 'remix', backend: 'scripted' }, Object.keys(TEMPLATES)],
    ['backend', { template: 'next', backend: 'toString' }, Object.keys(BACKENDS)],
  ] as const)('refuses a %s that it does not know, and names those it knows', (kind, choice, known) => {
    const folder = path.join(newFolder(), 'app');
    expect(() => createApp(folder, choice)).toThrow(
      `There is no ${kind} "${choice[kind]}". Nothing was written. Take one of: ${known.join(', ')}.`,
    );
    expect(existsSync(folder)).toBe(false);
  });

  test('refuses a backend that has no sockets for a template that needs them', () => {
    const folder = path.join(newFolder(), 'app');
    expect(() => createApp(folder, { template: 'hono-websocket', backend: 'ag-ui' })).toThrow(
      'The backend "ag-ui" has no sockets here, so it does not go with the template "hono-websocket". Nothing was written. Take one of: vite-node, next.',
    );
    expect(existsSync(folder)).toBe(false);
  });

  test('a backend changes only the files that it must', () => {
    const folder = newFolder();
    const [scripted, model] = [path.join(folder, 'scripted'), path.join(folder, 'model')];
    createApp(scripted, SCRIPTED);
    createApp(model, { ...SCRIPTED, backend: 'ai-sdk' });
    const read = (app: string, file: string) => readFileSync(path.join(app, file), 'utf8');
    const files = readdirSync(model, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(model, path.join(entry.parentPath, entry.name)));
    expect(files.filter((file) => read(model, file) !== read(scripted, file)).sort()).toEqual([
      'package.json',
      'src/agent/agent.ts',
      'src/page/agent-note.tsx',
    ]);
  });

  test('prints the next commands', async () => {
    const folder = path.join(newFolder(), 'app');
    const { code, out } = await runCli(folder, '--template', 'next');
    expect(code).toBe(0);
    expect(out).toContain(`  cd ${folder}\n  npm install\n  npm run dev\n`);
  });

  test('prints the version of handrail that its apps get', async () => {
    expect(await runCli('--version')).toEqual({
      code: 0,
      out: `handrail ${readManifest().version}\n`,
      errors: '',
    });
  });

  test('says what to give when it lacks a choice and nobody can be asked', async () => {
    const { code, errors } = await runCli('my-app');
    expect(code).toBe(1);
    expect(errors).toContain('Name a folder and a template');
    expect(errors).toContain('--template <name>');
  });

  test('refuses an option that it does not know', async () => {
    const { code, errors } = await runCli('my-app', '--tempalte', 'next');
    expect(code).toBe(1);
    expect(errors).toContain("Unknown option '--tempalte'");
  });
});
