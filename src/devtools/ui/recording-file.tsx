import { useRef } from 'react';
import { describeThrown } from '../../shared/errors.ts';
import { type Recording, readRecording } from '../recording.ts';

interface RecordingFileProps {
  readonly recording: Recording;
  readonly onLoad: (recording: Recording) => void;
  readonly onProblem: (text: string) => void;
}

/** Saves the recording as a file, and opens one that was saved before. */
export function RecordingFile({ recording, onLoad, onProblem }: RecordingFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const load = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      onLoad(readRecording(await file.text()));
    } catch (thrown) {
      onProblem(describeThrown(thrown, 'The file could not be read.'));
    }
  };
  return (
    <>
      <button type="button" onClick={() => download(recording)}>
        Download
      </button>
      <button type="button" onClick={() => input.current?.click()}>
        Load
      </button>
      <input
        ref={input}
        hidden
        type="file"
        accept="application/json,.json"
        aria-label="Recording"
        onChange={({ target }) => {
          void load(target.files?.[0]);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

function download(recording: Recording): void {
  const url = URL.createObjectURL(
    new Blob([JSON.stringify(recording, null, 2)], { type: 'application/json' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = 'handrail-recording.json';
  link.click();
  URL.revokeObjectURL(url);
}
