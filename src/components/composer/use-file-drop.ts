import { type ClipboardEvent, type DragEvent, useState } from 'react';

/** Returns handlers for files that the person drops on an element or pastes into it; none without `onFiles`. */
export function useFileDrop(onFiles: ((files: FileList) => void) | undefined) {
  const [isDragOver, setIsDragOver] = useState(false);
  if (onFiles === undefined) return { isDragOver: false, handlers: {} };
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setIsDragOver(true);
    },
    onDragLeave(event: DragEvent) {
      const { relatedTarget } = event;
      if (!(relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget)))
        setIsDragOver(false);
    },
    onDrop(event: DragEvent) {
      setIsDragOver(false);
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      onFiles(event.dataTransfer.files);
    },
    onPaste(event: ClipboardEvent) {
      const { files, types } = event.clipboardData;
      // Office applications add a picture of copied text.
      if (files.length === 0 || types.includes('text/rtf')) return;
      event.preventDefault();
      onFiles(files);
    },
  };
  return { isDragOver, handlers };
}
