import type { RequestUploadUrls } from 'handrail';

/** Where the page's server keeps the files of a message. Its addresses are paths; a message carries whole ones. */
export const requestUploadUrls: RequestUploadUrls = async (files) => {
  const response = await fetch('/api/files', { method: 'POST', body: JSON.stringify({ files }) });
  if (!response.ok) throw new Error(`The server takes no files now (status ${response.status}).`);
  const given = (await response.json()) as Awaited<ReturnType<RequestUploadUrls>>;
  const whole = (path: string) => new URL(path, location.href).href;
  return {
    files: given.files.map(({ id, uploadUrl, downloadUrl }) => ({
      id,
      uploadUrl: whole(uploadUrl),
      downloadUrl: whole(downloadUrl),
    })),
  };
};
