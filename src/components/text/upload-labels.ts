import { formatBytes } from './format-bytes.ts';
import { plural } from './safe-text.ts';

/** The strings of files that are uploaded, in the composer and in forms. Part of {@link Labels}. */
export interface UploadLabels {
  readonly attachments: string;
  readonly removeFile: (name: string) => string;
  readonly uploadAgain: (name: string) => string;
  readonly uploading: (name: string) => string;
  readonly uploaded: (name: string) => string;
  /** After the size of a file that is uploaded. */
  readonly fileUploaded: string;
  readonly uploadFailed: (name: string, reason: string) => string;
  readonly uploadsUnfinished: string;
  readonly uploadsFailed: string;
  readonly fileTooLarge: (name: string, maxBytes: number) => string;
  readonly fileNotAccepted: (name: string) => string;
  readonly tooManyFiles: (max: number) => string;
  /** `onlyImages`: nothing but pictures is accepted. */
  readonly chooseFiles: (max: number, onlyImages: boolean) => string;
  readonly uploadsUnavailable: string;
}

export const englishUploadLabels: UploadLabels = {
  attachments: 'Attached files',
  removeFile: (name) => `Remove ${name}`,
  uploadAgain: (name) => `Upload ${name} again`,
  uploading: (name) => `Uploading ${name}`,
  fileUploaded: 'uploaded',
  uploaded: (name) => `${name} is attached.`,
  uploadFailed: (name, reason) => `${name} was not uploaded: ${reason}`,
  uploadsUnfinished: 'Files are still being uploaded.',
  uploadsFailed: 'A file was not uploaded. Try it again or remove it.',
  fileTooLarge: (name, maxBytes) => `${name} is larger than ${formatBytes(maxBytes)}.`,
  fileNotAccepted: (name) => `${name} is not an accepted kind of file.`,
  chooseFiles: (max, onlyImages) =>
    max === 1
      ? `Choose a ${onlyImages ? 'photo' : 'file'}, or drop it here`
      : `Choose ${onlyImages ? 'photos' : 'files'}, or drop them here`,
  uploadsUnavailable: 'Files cannot be sent from here.',
  tooManyFiles: (max) => `At most ${plural(max, 'file')} can be attached.`,
};
