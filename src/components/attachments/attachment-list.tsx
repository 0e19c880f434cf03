import { useEffect, useState } from 'react';
import { Button } from '../primitives/button.tsx';
import { CloseIcon, FileIcon, RetryIcon } from '../primitives/icons.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { englishUploadLabels } from '../text/upload-labels.ts';
import type { Attachment, Attachments } from './use-attachments.ts';

/** The files in the composer, or in a field of a form. */
export function AttachmentList({
  attachments,
  hasWord = false,
  onRemoved,
}: {
  attachments: Attachments;
  /** Says of an uploaded file that it is uploaded. */
  hasWord?: boolean;
  /** Called when a pressed button has disappeared, so that the focus needs another place. */
  onRemoved: () => void;
}) {
  const labels = useLabels(englishUploadLabels);
  if (attachments.items.length === 0) return null;
  return (
    <ul className="hr-attachments" aria-label={labels.attachments}>
      {attachments.items.map((item) => (
        <Slot
          slotName="attachment"
          as="li"
          key={item.key}
          className="hr-attachment"
          data-state={item.state.status}
        >
          <Thumbnail file={item.file} />
          <span className="hr-attachment-name">{item.name}</span>
          <Progress attachment={item} hasWord={hasWord} />
          {item.state.status === 'failed' && (
            <Button
              look="icon"
              label={labels.uploadAgain(item.name)}
              onClick={() => {
                onRemoved();
                attachments.uploadAgain(item.key);
              }}
            >
              <RetryIcon />
            </Button>
          )}
          <Button
            look="icon"
            label={labels.removeFile(item.name)}
            onClick={() => {
              attachments.remove(item.key);
              onRemoved();
            }}
          >
            <CloseIcon />
          </Button>
        </Slot>
      ))}
    </ul>
  );
}

/** A picture of the file, which never leaves the page for it, or an icon for a file that is none or was uploaded before. */
function Thumbnail({ file }: { file: File | undefined }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (file === undefined || !IMAGE.test(file.type)) return undefined;
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url !== undefined ? (
    <img className="hr-thumbnail" src={url} alt="" onError={() => setUrl(undefined)} />
  ) : (
    <FileIcon />
  );
}

/** The pictures that every browser shows. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif)$/;

function Progress({ attachment: { name, state }, hasWord }: { attachment: Attachment; hasWord: boolean }) {
  const labels = useLabels(englishUploadLabels);
  switch (state.status) {
    case 'uploading':
      return <progress aria-label={labels.uploading(name)} max={100} value={state.percent} />;
    case 'uploaded':
      return (
        <span className="hr-faint">
          {state.reference.size !== undefined && <bdi>{labels.fileSize(state.reference.size)}</bdi>}
          {hasWord && <span className="hr-attachment-state">{labels.fileUploaded}</span>}
        </span>
      );
    case 'failed':
      return <span className="hr-error">{state.reason}</span>;
    default:
      return state satisfies never;
  }
}
