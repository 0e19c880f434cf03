/**
 * How a value looks between the page and the sandbox: a JSON text and the binary data beside it.
 *
 * The text is `[root, node, node, ...]`. A slot is a JSON primitive, or
 * `[3]` (node 3), `["u"]` undefined, `["h"]` a hole, `["n", "NaN"]` a number JSON lacks, `["b", "-ff"]` a bigint in
 * hex. A node is `["A", ...slots]`, `["O", key, slot, ...]`, `["D", ms]`, `["R", source, flags]`,
 * `["M", key, slot, ...]`, `["S", ...slots]`, `["X", buffer]`, `["V", kind, buffer]`,
 * `["E", name, message, stack, cause?]` or `["F", id]` (a bridged function).
 *
 * Flat, so that cycles need no special case and nothing recurses however deep a value is.
 */
export interface Packed {
  readonly text: string;
  readonly buffers: readonly ArrayBuffer[];
}

/** The limits of one value. Larger ones would stall the page while they are read. */
export const PACKED_LIMITS = {
  /** Characters of JSON text. */
  text: 4 * 1024 * 1024,
  /** Bytes of binary data. */
  binary: 16 * 1024 * 1024,
} as const;
