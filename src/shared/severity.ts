/** How careful a person should be before allowing a call. */
export type Severity = (typeof SEVERITIES)[number];

export const SEVERITIES = ['neutral', 'caution', 'destructive'] as const;

/** Returns true for one of the three words. */
export function isSeverity(word: unknown): word is Severity {
  return SEVERITIES.some((severity) => severity === word);
}

/**
 * Hints about a tool, as in the Model Context Protocol (specification 2025-11-25, Tools). They count only with
 * `annotationsTrusted`: a server that the app does not trust must not make a dialog look harmless.
 */
export interface ToolAnnotations {
  readonly title?: string;
  /** Default `false`. */
  readonly readOnlyHint?: boolean;
  /** Default `true`, as MCP requires. It has a meaning only when `readOnlyHint` is not true. */
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/**
 * Returns the severity of a tool: its `severity`, or else by its MCP annotations. Annotations that are not trusted make
 * it destructive. Among trusted ones an absent `destructiveHint` counts as true unless the tool only reads. A tool
 * without either is neutral.
 */
export function readDeclaredSeverity({
  severity,
  annotations,
  annotationsTrusted = false,
}: {
  readonly severity?: Severity;
  readonly annotations?: ToolAnnotations;
  readonly annotationsTrusted?: boolean;
} = {}): Severity {
  if (severity !== undefined) return severity;
  if (annotations === undefined) return 'neutral';
  if (!annotationsTrusted) return 'destructive';
  if (annotations.readOnlyHint === true) return 'neutral';
  return annotations.destructiveHint === false ? 'caution' : 'destructive';
}
