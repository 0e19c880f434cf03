/** The limits of the tools that a page describes to a server. Both ends keep them. */

export const MAX_DESCRIBED_TOOLS = 128;
/** Of the JSON of all descriptions together. */
export const MAX_DESCRIPTION_BYTES = 64_000;

/** Models take these names. One that every object has, such as `constructor`, is none: code that looks it up would find something. */
export function isDescribableName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) && !(name in {});
}

export function countJsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
