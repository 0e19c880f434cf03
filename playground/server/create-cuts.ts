/** A connection that can be cut: a response or the stream below a socket. */
interface Breakable {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** The open connections of each session, and the sessions whose connections the server refuses. */
export interface Cuts {
  hold(session: string, connection: Breakable): void;
  /** Cuts every connection of a session, and refuses new ones for `awayMs`. */
  cut(session: string, awayMs: number): void;
  isAway(session: string): boolean;
}

export function createCuts(): Cuts {
  const open = new Map<string, Set<Breakable>>();
  const awayUntil = new Map<string, number>();
  return {
    hold(session, connection) {
      const connections = open.get(session) ?? new Set();
      open.set(session, connections.add(connection));
      connection.once('close', () => {
        connections.delete(connection);
        if (connections.size === 0 && open.get(session) === connections) open.delete(session);
      });
    },
    cut(session, awayMs) {
      if (awayMs > 0) awayUntil.set(session, Date.now() + awayMs);
      for (const connection of [...(open.get(session) ?? [])]) connection.destroy();
    },
    isAway(session) {
      const until = awayUntil.get(session) ?? 0;
      if (until <= Date.now()) awayUntil.delete(session);
      return until > Date.now();
    },
  };
}
