import { type ClipboardEvent, type DragEvent, useState } from 'react';

/** Handlers for files that are dropped on an element or pasted into it. None when files are not wanted. */
export function useFileDrop(onFiles: ((files: FileList) => void) | undefined) {
  const [isOver, setIsOver] = useState(false);
  if (onFiles === undefined) return { isOver: false, handlers: {} };
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave(event: DragEvent) {
      const { relatedTarget } = event;
      if (!(relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget))) setIsOver(false);
    },
    onDrop(event: DragEvent) {
      setIsOver(false);
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      onFiles(event.dataTransfer.files);
    },
    onPaste(event: ClipboardEvent) {
      const { files, types } = event.clipboardData;
      // Office adds a picture of the text that was copied.
      if (files.length === 0 || types.includes('text/rtf')) return;
      event.preventDefault();
      onFiles(files);
    },
  };
  return { isOver, handlers };
}
