/** What the store needs of a client of Redis, and how it runs scripts. */

/** A client of the package `redis`, as `createClient` returns it. Not that of a cluster: one script changes keys of several slots. */
export interface RedisConnection {
  sendCommand(args: readonly string[]): Promise<unknown>;
  duplicate(): RedisConnection;
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (message: string, channel: string) => void): Promise<unknown>;
  on(event: 'error' | 'ready', listener: () => void): unknown;
  destroy(): void;
}

/** Runs a script of `scripts.ts`. Numbers are sent as text. */
export type RunScript = (
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>;

/** Returns a function that sends the text of each script once, and its hash from then on. */
export function createScriptRunner(client: RedisConnection): RunScript {
  const hashes = new Map<string, Promise<unknown>>();
  return async (script, keys, args) => {
    const load = () => {
      const loading = client.sendCommand(['SCRIPT', 'LOAD', script]);
      hashes.set(script, loading);
      loading.catch(() => hashes.delete(script));
      return loading;
    };
    const run = async (hash: Promise<unknown>) =>
      client.sendCommand(['EVALSHA', String(await hash), String(keys.length), ...keys, ...args.map(String)]);
    try {
      return await run(hashes.get(script) ?? load());
    } catch (thrown) {
      // A server that was restarted knows no scripts.
      if (!(thrown instanceof Error && thrown.message.startsWith('NOSCRIPT'))) throw thrown;
      return run(load());
    }
  };
}
