import jsonPatch, { type Operation } from 'fast-json-patch';

/** Applies a patch (RFC 6902) as a whole to a copy. Returns the document itself if the patch fails. */
export function applyPatch(document: unknown, patch: unknown): unknown {
  try {
    return jsonPatch.applyPatch(document, patch as Operation[], true, false, true).newDocument;
  } catch {
    return document;
  }
}
