/** How careful a person should be before saying yes. */
export type Severity = 'neutral' | 'caution' | 'destructive';

/**
 * Hints about a tool as the Model Context Protocol has them (specification 2025-11-25, Tools). They count only together
 * with `annotationsTrusted`: a server nobody vouches for cannot lower the guard of a dialog.
 */
export interface ToolAnnotations {
  readonly title?: string;
  /** Default `false`. */
  readonly readOnlyHint?: boolean;
  /** Default `true`, as MCP demands; meaningful only when the tool does not just read. */
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/**
 * The severity a tool was declared with. Its own word wins; otherwise MCP annotations decide by their rules, where a
 * `destructiveHint` that is absent counts as true unless the tool only reads, and where they are not trusted nothing they
 * say counts. A tool that says nothing is neutral.
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
