import type { ToolCallPart } from '../../core/state/message.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { readLink } from '../text/safe-text.ts';
import { englishTranscriptLabels } from '../text/transcript-labels.ts';
import { FilePartView } from './link-parts.tsx';

/** The page stays usable whatever a handler adds. */
const MAX_FILES = 40;

/** The files that the handler of this page has added to its result. Unlike files of the agent they have a preview: their addresses are the app's. */
export function CallFiles({ files = [] }: { files: ToolCallPart['files'] }) {
  const labels = useLabels(englishTranscriptLabels);
  if (files.length === 0) return null;
  const more = files.length - MAX_FILES;
  return (
    <div className="hr-call-files">
      <p className="hr-call-heading" aria-hidden="true">
        {labels.callFiles}
      </p>
      <ul aria-label={labels.callFiles}>
        {files.slice(0, MAX_FILES).map((file) => {
          const preview = findPreview(file);
          return (
            <Slot slotName="file" as="li" key={file.id} className="hr-call-file">
              {preview !== undefined && (
                // The name of the file follows.
                <img src={preview} alt="" loading="lazy" referrerPolicy="no-referrer" />
              )}
              <FilePartView part={{ type: 'file', ...file }} />
            </Slot>
          );
        })}
      </ul>
      {more > 0 && <p className="hr-faint">{labels.moreItems(more)}</p>}
    </div>
  );
}

/** The address of a picture that may be shown: on the web, or with its data in the address. */
function findPreview({
  mediaType,
  url,
}: {
  readonly mediaType: string;
  readonly url: string;
}): string | undefined {
  if (!/^image\/(png|jpeg|gif|webp|avif)$/.test(mediaType)) return undefined;
  return /^data:image\/(png|jpeg|gif|webp|avif);base64,/.test(url) ? url : readLink(url);
}
