/** The owners of runs and sessions. Mantyx knows only the credential of the app, not its users. */
export interface MantyxOwners {
  /** Called once for each new run and session, before the page gets its id. */
  set(id: string, userId: string): void | Promise<void>;
  get(id: string): string | undefined | Promise<string | undefined>;
}

/** Options of {@link createMemoryMantyxOwners}. */
export interface MemoryMantyxOwnersOptions {
  /** Most ids held. The least recently used ids are dropped, and their runs get 404 then. Default 10,000. */
  readonly maxIds?: number;
}

/** Owners in memory, for one process: in another process, or after a restart, every run gets 404. */
export function createMemoryMantyxOwners({ maxIds = 10_000 }: MemoryMantyxOwnersOptions = {}): MantyxOwners {
  /** The least recently used id comes first. */
  const owners = new Map<string, string>();
  const put = (id: string, userId: string) => {
    owners.delete(id);
    owners.set(id, userId);
  };
  return {
    set(id, userId) {
      put(id, userId);
      const [oldest] = owners.keys();
      if (owners.size > maxIds && oldest !== undefined) owners.delete(oldest);
    },
    get(id) {
      const userId = owners.get(id);
      if (userId !== undefined) put(id, userId);
      return userId;
    },
  };
}
