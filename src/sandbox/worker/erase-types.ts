import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { transform } from 'sucrase';

/** A place in a source. Lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** JavaScript, and a map to positions in its original source. */
export interface Erased {
  readonly code: string;
  original(position: Position): Position;
}

/** A syntax error of a source, with its position if the eraser knows it. */
export class SourceError extends SyntaxError {
  readonly position: Position | undefined;
  constructor(message: string, position?: Position) {
    super(message);
    this.position = position;
  }
}

/**
 * Erases types without checking them. Imports stay unless they say `type`, as with `verbatimModuleSyntax`: the eraser must
 * not decide by the use of an import if a module links.
 *
 * Sucrase is used because it is the one eraser small enough for a browser (esbuild, SWC and TypeScript itself
 * bring several megabytes). It keeps lines; a source map brings the columns back.
 *
 * @throws SourceError
 */
export function eraseTypes(source: string, filename: string): Erased {
  let transformed: ReturnType<typeof transform>;
  try {
    transformed = transform(source, {
      transforms: ['typescript'],
      disableESTransforms: true,
      keepUnusedImports: true,
      filePath: filename,
      sourceMapOptions: { compiledFilename: filename },
    });
  } catch (thrown) {
    throw readError(thrown, filename);
  }
  const { code, sourceMap } = transformed;
  refuseNamespaces(source, code);
  let map: TraceMap | undefined;
  return {
    code,
    original({ line, column }) {
      map ??= new TraceMap(JSON.stringify(sourceMap));
      const found = originalPositionFor(map, { line, column: column - 1 });
      return found.line === null ? { line, column } : { line: found.line, column: found.column + 1 };
    },
  };
}

function readError(thrown: unknown, filename: string): SourceError {
  const { message, loc } = thrown as { message?: unknown; loc?: { line: number; column: number } };
  const text = typeof message === 'string' ? message : 'The source does not parse';
  const bare = text.replace(`Error transforming ${filename}: `, '').replace(/ \(\d+:\d+\)$/, '');
  return new SourceError(bare, loc && { line: loc.line, column: loc.column });
}

const NAMESPACE = /^\s*(?:export\s+)?(?:namespace|module)\s+[\w$.]+\s*\{/;

/** Sucrase treats a namespace as a type and drops its code. An error is better than a program without that code. */
function refuseNamespaces(source: string, code: string): void {
  const erased = code.split('\n');
  for (const [index, text] of source.split('\n').entries()) {
    if (!NAMESPACE.test(text) || NAMESPACE.test(erased[index] ?? '')) continue;
    const column = text.search(/\S/) + 1;
    throw new SourceError('A namespace holds code that cannot be erased; use a module or an object instead', {
      line: index + 1,
      column,
    });
  }
}
