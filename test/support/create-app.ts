import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { root } from '../../.scripts/package-entries.mjs';

const APP_TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    jsx: 'react-jsx',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    // The compiler checks the declarations of the package too.
    skipLibCheck: false,
  },
  include: ['src', 'server.ts'],
};

const FILES: Readonly<Record<string, string>> = {
  'index.html':
    '<!doctype html><title>app</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  'src/main.tsx': `
    import { StrictMode } from 'react';
    import { createRoot } from 'react-dom/client';
    import App from './App.tsx';
    createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>);
  `,
  'tsconfig.json': JSON.stringify(APP_TSCONFIG),
};

/** The versions with which this package is tested. */
const NEXT_APP = ['typescript', '@types/node', 'react', 'react-dom', '@types/react', '@types/react-dom'];
const VITE_APP = ['vite', ...NEXT_APP];

/** The timeout of a program, shorter than that of the test, so that the error names the program. Bundlers rarely hang. */
const STANDSTILL_MS = 240_000;

/** Runs npm, or an installed program of the app, in a folder. Returns its output. */
export async function run(folder: string, command: string, ...args: string[]): Promise<string> {
  const options = {
    cwd: folder,
    env: appEnvironment(folder),
    timeout: STANDSTILL_MS,
    killSignal: 'SIGKILL',
  } as const;
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout, stderr, killed } = error as { stdout: string; stderr: string; killed: boolean };
    const what = killed ? `stood still for ${STANDSTILL_MS / 1000} s` : 'failed';
    throw new Error(`${command} ${args.join(' ')} ${what}:\n${stdout}\n${stderr}`);
  }
}

/** The environment of the programs of an app. */
export function appEnvironment(folder: string): NodeJS.ProcessEnv {
  const binaries = path.join(folder, 'node_modules', '.bin');
  // The variables that npm sets for its scripts do not apply to another package.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|NODE_ENV$|VITEST|CI$)/.test(name)),
  );
  return { ...env, PATH: `${binaries}${path.delimiter}${process.env.PATH}` };
}

/** A new folder with an empty Vite and React app and the given files, and the package installed from its tarball. */
export async function createApp(files: Readonly<Record<string, string>>): Promise<string> {
  return createFolder({ ...FILES, ...files }, VITE_APP.map(withInstalledVersion));
}

/** The same for an app of Next.js. */
export async function createNextApp(files: Readonly<Record<string, string>>): Promise<string> {
  return createFolder(files, ['next@16', ...NEXT_APP.map(withInstalledVersion)]);
}

async function createFolder(
  files: Readonly<Record<string, string>>,
  packages: readonly string[],
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-app-'));
  const tarball = await packInto(folder);
  write(folder, {
    ...files,
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
  });
  await install(folder, tarball, ...packages);
  return folder;
}

/** Writes the tarball of the package, and returns its file. */
export async function packInto(folder: string): Promise<string> {
  const { filename } = await pack('--pack-destination', folder);
  return path.join(folder, filename);
}

/** Returns the compiler errors of an app, including the declarations of its packages. */
export async function typeCheck(folder: string, ...args: string[]): Promise<string[]> {
  try {
    await run(folder, 'tsc', '--pretty', 'false', ...args);
    return [];
  } catch (error) {
    const lines = String(error).split('\n');
    const complaints = lines.filter((line) => line.includes(': error TS'));
    if (complaints.length === 0) throw error;
    return complaints;
  }
}

/** Adds packages to an app, from the cache of npm if possible. */
export async function install(folder: string, ...packages: string[]): Promise<void> {
  await run(
    folder,
    'npm',
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--strict-peer-deps',
    ...packages,
  );
}

/** Compiles TypeScript to JavaScript for Node 20. */
export function withoutTypes(code: string): string {
  return ts.transpileModule(code, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  }).outputText;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

function withInstalledVersion(name: string): string {
  const manifest = readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8');
  return `${name}@${JSON.parse(manifest).version}`;
}

/** Returns the files of the tarball in the order of the alphabet, and its size in bytes. */
export async function inspectTarball(): Promise<{
  readonly files: readonly string[];
  readonly size: number;
}> {
  const { files, size } = await pack('--dry-run');
  return { files: files.map((file) => file.path).sort(), size };
}

interface Packed {
  readonly filename: string;
  /** Bytes, compressed. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

async function pack(...args: string[]): Promise<Packed> {
  const text = await run(root, 'npm', 'pack', '--json', '--ignore-scripts', ...args);
  // npm 11 prints a list with one item, and npm 12 an object by name.
  const [packed] = Object.values<Packed>(JSON.parse(text));
  if (packed === undefined) throw new Error(`npm pack told of no tarball: ${text}`);
  return packed;
}
