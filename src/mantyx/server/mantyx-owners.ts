/** Whose runs and sessions are whose. Mantyx knows one credential, and no users behind it. */
export interface MantyxOwners {
  /** Called once for each new run and session, before its id is told. */
  set(id: string, userId: string): void | Promise<void>;
  get(id: string): string | undefined | Promise<string | undefined>;
}

/** Options of {@link createMemoryMantyxOwners}. */
export interface MemoryMantyxOwnersOptions {
  /** Most ids kept. Those unused for longest are forgotten: nobody gets their runs any more. Default 10,000. */
  readonly maxIds?: number;
}

/** Owners in memory, for one process: another one, or the same after a restart, would let nobody have the run. */
export function createMemoryMantyxOwners({ maxIds = 10_000 }: MemoryMantyxOwnersOptions = {}): MantyxOwners {
  /** The one unused for longest comes first. */
  const owners = new Map<string, string>();
  const keep = (id: string, userId: string) => {
    owners.delete(id);
    owners.set(id, userId);
  };
  return {
    set(id, userId) {
      keep(id, userId);
      const [oldest] = owners.keys();
      if (owners.size > maxIds && oldest !== undefined) owners.delete(oldest);
    },
    get(id) {
      const userId = owners.get(id);
      if (userId !== undefined) keep(id, userId);
      return userId;
    },
  };
}
