/** Loads the files that the sandbox needs before its first run. */
export interface Assets {
  /** The worker's script. Absent when the app makes its workers itself. */
  readonly script: string | undefined;
  readonly engine: WebAssembly.Module;
}

/** Loads and compiles the engine. Some hundred kilobytes, so this happens on first use, never with the app. */
export async function loadAssets(withScript: boolean): Promise<Assets> {
  const [script, engine] = await Promise.all([
    withScript ? import('./worker/worker.ts?script').then((module) => module.default) : undefined,
    import('@jitl/quickjs-wasmfile-release-sync/wasm?gzip-base64').then((module) => compile(module.default)),
  ]);
  return { script, engine };
}

async function compile(gzipped: string): Promise<WebAssembly.Module> {
  const bytes = Uint8Array.from(atob(gzipped), (character) => character.charCodeAt(0));
  const unzip = new DecompressionStream('gzip');
  const unzipped = new Response(unzip.readable).arrayBuffer();
  const writer = unzip.writable.getWriter();
  // Not by `Blob.stream`, which jsdom lacks: an app's tests run the real thing there.
  await Promise.all([writer.write(bytes), writer.close()]);
  return WebAssembly.compile(await unzipped);
}
