import http from 'node:http';
import type { AddressInfo } from 'node:net';
import vm from 'node:vm';
import ts from 'typescript';
import type { DocsPage } from './read-docs.ts';

/** A module by the name under which samples import it. */
export type SampleModules = Readonly<Record<string, object>>;

/**
 * Runs a sample of a page, with the other samples of the page that it imports.
 *
 * @param given the packages that the samples import, and modules in the place of samples (`./store`)
 * @returns the exports of the sample
 */
export function runSample(
  { document, snippets }: DocsPage,
  file: string,
  given: SampleModules,
): Record<string, unknown> {
  const loaded = new Map<string, Record<string, unknown>>();
  const load = (name: string): object => {
    if (Object.hasOwn(given, name)) return given[name] as object;
    const sample = snippets.find(
      (one) => `./${one.file?.replace(/\.tsx?$/, '')}` === name.replace(/\.ts$/, ''),
    );
    if (sample === undefined) throw new Error(`${document}: nobody gave the module '${name}'.`);
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const exported: Record<string, unknown> = {};
    loaded.set(name, exported);
    const { outputText } = ts.transpileModule(sample.code, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    const wrapped = vm.runInThisContext(`(function (require, exports) {${outputText}\n})`, {
      filename: `${document}/${sample.file}`,
    });
    wrapped(load, exported);
    return exported;
  };
  return load(`./${file.replace(/\.ts$/, '')}`) as Record<string, unknown>;
}

/** A `node:http` for samples: their servers take a free port in place of their own. */
export function createSampleHttp() {
  const servers: http.Server[] = [];
  return {
    module: {
      createServer(listener: http.RequestListener): http.Server {
        const server = http.createServer(listener);
        const { listen } = server;
        server.listen = () => Reflect.apply(listen, server, [0, '127.0.0.1']);
        servers.push(server);
        return server;
      },
    },
    /** Resolves to the address of the only server, once it listens. */
    async address(): Promise<string> {
      const [server] = servers as [http.Server];
      if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
