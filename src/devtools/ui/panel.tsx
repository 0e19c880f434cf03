import { useState, useSyncExternalStore } from 'react';
import { useBeforePaint } from '../../components/hooks/use-before-paint.ts';
import type { Faults } from '../create-faults.ts';
import type { Recorder } from '../create-recorder.ts';
import type { Recording } from '../recording.ts';
import { Calls } from './calls.tsx';
import { FaultSwitches } from './fault-switches.tsx';
import { PageFacts } from './page-facts.tsx';
import { RecordingFile } from './recording-file.tsx';
import { Timeline } from './timeline.tsx';

const VIEWS = ['Timeline', 'Calls', 'Page', 'Faults'] as const;

interface PanelProps {
  readonly recorder: Recorder;
  readonly faults: Faults | undefined;
  readonly onClose: () => void;
}

/** Says on the root element how high the panel is, so that a page can end above it. Returns the function that takes it back. */
function reserveRoom(): () => void {
  const { style } = document.documentElement;
  style.setProperty(HEIGHT, 'min(22rem, 50dvh)');
  return () => style.removeProperty(HEIGHT);
}

const HEIGHT = '--handrail-devtools-height';

/** The panel at the foot of the page: what happens now, or a recording that was loaded. */
export function Panel({ recorder, faults, onClose }: PanelProps) {
  const live = useSyncExternalStore(recorder.subscribe, recorder.getRecording, recorder.getRecording);
  const [loaded, setLoaded] = useState<Recording>();
  const [problem, setProblem] = useState<string>();
  const [view, setView] = useState<(typeof VIEWS)[number]>('Timeline');
  const recording = loaded ?? live;
  useBeforePaint(reserveRoom, []);
  return (
    <aside className="panel" aria-label="handrail devtools">
      <div className="head">
        <h2>handrail</h2>
        {VIEWS.map((name) => (
          <button key={name} type="button" aria-pressed={name === view} onClick={() => setView(name)}>
            {name}
          </button>
        ))}
        <span className="room" />
        <RecordingFile
          recording={recording}
          onProblem={setProblem}
          onLoad={(read) => {
            setProblem(undefined);
            setLoaded(read);
          }}
        />
        {loaded === undefined ? (
          <button type="button" onClick={recorder.clear}>
            Clear
          </button>
        ) : (
          <button type="button" onClick={() => setLoaded(undefined)}>
            Back to this page
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {problem !== undefined && (
        <p className="note error" role="alert">
          {problem}
        </p>
      )}
      {view === 'Timeline' && <Timeline recording={recording} />}
      {view === 'Calls' && <Calls recording={recording} />}
      {view === 'Page' && <PageFacts recording={recording} />}
      {view === 'Faults' && <FaultSwitches faults={faults} />}
    </aside>
  );
}
