/** Remembers the frames that passed, newest last. */

export interface WireEntry {
  readonly id: number;
  /** Milliseconds since the page was opened. */
  readonly at: number;
  readonly direction: 'in' | 'out' | 'note';
  /** The frame's `type`, `request` for a frame without one, or what a note is about. */
  readonly kind: string;
  readonly text: string;
}

export interface WireLog {
  /** A frame as it was on the wire. */
  addFrame(direction: 'in' | 'out', text: string): void;
  /** Something that happened to the connection. */
  addNote(kind: string, text: string): void;
  clear(): void;
  getEntries(): readonly WireEntry[];
  subscribe(listener: () => void): () => void;
}

/** Older entries go. */
const MAX_ENTRIES = 500;

export function createWireLog(): WireLog {
  const listeners = new Set<() => void>();
  let entries: readonly WireEntry[] = [];
  let added: WireEntry[] = [];
  let count = 0;
  let scheduled = false;

  function publish(): void {
    scheduled = false;
    entries = [...entries, ...added].slice(-MAX_ENTRIES);
    added = [];
    for (const listener of listeners) listener();
  }
  function add(entry: Omit<WireEntry, 'id' | 'at'>): void {
    count += 1;
    added.push({ ...entry, id: count, at: Math.round(performance.now()) });
    if (scheduled) return;
    scheduled = true;
    // Many frames arrive between two paints.
    requestAnimationFrame(publish);
  }

  return {
    addFrame: (direction, text) => add({ direction, kind: readKind(text), text }),
    addNote: (kind, text) => add({ direction: 'note', kind, text }),
    clear() {
      added = [];
      entries = [];
      for (const listener of listeners) listener();
    },
    getEntries: () => entries,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function readKind(text: string): string {
  try {
    const frame: unknown = JSON.parse(text);
    if (typeof frame === 'object' && frame !== null) return 'type' in frame ? String(frame.type) : 'request';
  } catch {
    // `[DONE]` and other plain text.
  }
  return text.slice(0, 24);
}
