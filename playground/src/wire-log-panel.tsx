import { memo, useState, useSyncExternalStore } from 'react';
import type { WireEntry, WireLog } from './create-wire-log.ts';
import { CloseIcon } from './icons.tsx';

interface WireLogPanelProps {
  readonly log: WireLog;
  readonly session: string;
  readonly onClose: () => void;
}

/** AG-UI has other words for a piece of a text, or of the arguments of a call. */
const isDelta = (kind: string) => /-delta$|_CONTENT$|_ARGS$/.test(kind);

type Direction = 'all' | 'in' | 'out';

/** What goes over the wire, and the means to break it. */
export function WireLogPanel({ log, session, onClose }: WireLogPanelProps) {
  const entries = useSyncExternalStore(log.subscribe, log.getEntries);
  const [filter, setFilter] = useState('');
  const [direction, setDirection] = useState<Direction>('all');
  const [showsDeltas, setShowsDeltas] = useState(true);
  const shown = entries.filter(
    (entry) =>
      (direction === 'all' || entry.direction === direction || entry.direction === 'note') &&
      (showsDeltas || !isDelta(entry.kind)) &&
      (filter === '' || entry.text.toLowerCase().includes(filter.toLowerCase())),
  );

  return (
    <aside className="wire-log" aria-label="Wire log">
      <div className="wire-log-head">
        <h2>Wire log</h2>
        <button type="button" className="button" data-look="small" onClick={log.clear}>
          Clear
        </button>
        <button
          type="button"
          className="icon-button wire-log-close"
          aria-label="Close the wire log"
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </div>
      <CutButtons log={log} session={session} />
      <div className="wire-log-filter">
        <input
          type="search"
          aria-label="Filter frames"
          placeholder="Filter frames"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <select
          className="select"
          aria-label="Direction"
          value={direction}
          onChange={(event) => setDirection(event.target.value as Direction)}
        >
          <option value="all">Both ways</option>
          <option value="in">Received</option>
          <option value="out">Sent</option>
        </select>
        <label className="check">
          <input
            type="checkbox"
            checked={showsDeltas}
            onChange={(event) => setShowsDeltas(event.target.checked)}
          />
          Deltas
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="wire-log-frames" aria-label="Frames" tabIndex={0}>
        {shown.length === 0 ? (
          <p className="wire-log-empty">{entries.length === 0 ? 'Nothing yet.' : 'No frame matches.'}</p>
        ) : (
          <ol dir="ltr">
            {shown.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </section>
    </aside>
  );
}

function CutButtons({ log, session }: { log: WireLog; session: string }) {
  const cut = (query: string) => {
    fetch(`/api/cut?session=${session}${query}`, { method: 'POST' }).catch((thrown: unknown) =>
      log.addNote('unreachable', String(thrown)),
    );
  };
  return (
    <div className="wire-log-cut">
      <button type="button" className="button" onClick={() => cut('')}>
        Cut the connection
      </button>
      <button type="button" className="button" onClick={() => cut('&away')}>
        Cut for 4 seconds
      </button>
    </div>
  );
}

const DIRECTIONS = { in: '←', out: '→', note: '·' } as const;
const DIRECTION_WORDS = { in: 'Received', out: 'Sent', note: 'Connection' } as const;

const EntryRow = memo(function EntryRow({ entry }: { entry: WireEntry }) {
  const { direction, kind, text, at } = entry;
  return (
    <li data-direction={direction} data-kind={kind}>
      <details>
        <summary>
          <span className="frame-arrow" aria-hidden="true">
            {DIRECTIONS[direction]}
          </span>
          <span className="visually-hidden">{DIRECTION_WORDS[direction]}</span>
          <span className="frame-kind">{kind}</span>
          <span className="frame-text">{text !== kind && summarise(text)}</span>
          <span className="frame-time">{(at / 1000).toFixed(2)}</span>
        </summary>
        <pre>{format(text)}</pre>
      </details>
    </li>
  );
});

/** The frame without the type that stands before it. */
function summarise(text: string): string {
  return text.replace(/^\{"type":"[^"]*",?/, '').replace(/\}$/, '');
}

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
