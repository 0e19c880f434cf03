/**
 * Writes the declarations of everything the entries declare to dist.
 *
 * The compiler does it all but two things. Sources import each other as `./file.ts`, and in declarations it leaves
 * that as it is, a name of a file that is not in the package. And an optional package that an app has not installed
 * would fail that app's type check where it looks at the declarations of its packages: what comes from there is `any`
 * then. (Bundlers of declarations want a newer Node.)
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { packageEntries, readManifest, root } from './package-entries.mjs';

const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
const config = ts.getParsedCommandLineOfConfigFile(
  `${root}tsconfig.json`,
  {
    noEmit: false,
    // The cache of the type check is not for this program, which has other files.
    incremental: false,
    tsBuildInfoFile: undefined,
    allowJs: false,
    checkJs: false,
    declaration: true,
    emitDeclarationOnly: true,
    rewriteRelativeImportExtensions: true,
    rootDir: `${root}src`,
    outDir: `${root}dist`,
  },
  host,
);
if (config === undefined) process.exit(1);

const entries = packageEntries().map((entry) => entry.source);
const ambient = config.fileNames.filter((file) => file.startsWith(`${root}src/`) && file.endsWith('.d.ts'));
const program = ts.createProgram([...entries.filter(existsSync), ...ambient], config.options);
const optionalPackages = Object.keys(readManifest().peerDependenciesMeta);
/** @type {Map<string, string>} */
const declarations = new Map();
const { diagnostics } = program.emit(undefined, (file, text) => {
  declarations.set(file, forApps(file, text));
});
for (const file of reachedFrom(entries.filter(existsSync).map(toDeclaration))) {
  ts.sys.writeFile(file, declarations.get(file) ?? '');
}
for (const diagnostic of [...ts.getPreEmitDiagnostics(program), ...diagnostics]) fail(diagnostic);

/**
 * The declarations that an app can see: those of the entries, and what they import. Half of the modules have none of them.
 *
 * @param {string[]} files
 */
function reachedFrom(files) {
  const reached = new Set(files);
  for (const file of reached) {
    const { importedFiles } = ts.preProcessFile(declarations.get(file) ?? '', true, true);
    for (const { fileName } of importedFiles) {
      const imported = path.resolve(path.dirname(file), fileName).replace(/\.js$/, '.d.ts');
      if (fileName.startsWith('.') && declarations.has(imported)) reached.add(imported);
    }
  }
  return reached;
}

/** @param {string} source */
function toDeclaration(source) {
  return source.replace(`${root}src/`, `${root}dist/`).replace(/\.tsx?$/, '.d.ts');
}

/**
 * @param {string} file
 * @param {string} text
 */
function forApps(file, text) {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  let result = text;
  // From the end, so that positions before stay right.
  for (const { fileName, pos, end } of importedFiles.sort((a, b) => b.pos - a.pos)) {
    if (optionalPackages.includes(fileName)) {
      const line = text.lastIndexOf('\n', pos) + 1;
      result = `${result.slice(0, line)}// @ts-ignore: optional\n${result.slice(line)}`;
    }
    const extension = /^\..*(\.tsx?)$/.exec(fileName)?.[1];
    if (extension === undefined) continue;
    const at = text.lastIndexOf(extension, end);
    if (at < 0) throw new Error(`${file}: no ${fileName} at ${end}`);
    result = `${result.slice(0, at)}.js${result.slice(at + extension.length)}`;
  }
  return result;
}

/** @param {ts.Diagnostic} diagnostic */
function fail(diagnostic) {
  process.stderr.write(
    ts.formatDiagnostic(diagnostic, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => root,
      getNewLine: () => '\n',
    }),
  );
  process.exitCode = 1;
}
