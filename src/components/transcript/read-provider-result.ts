import { isRecord } from '../../shared/json.ts';

/** A step of a tool that the provider of the model ran: a search, a page that was opened. */
export interface ProviderAction {
  readonly type: string;
  /** The query, the address or the pattern. */
  readonly subject: string | undefined;
}

export interface ProviderSource {
  readonly url: string;
  readonly title: string | undefined;
}

/** A file or another thing that the tool made. */
export interface ProviderArtifact {
  readonly name: string;
  readonly mediaType: string;
  /** Absent for one that is not at a public address. */
  readonly url: string | undefined;
}

export interface ProviderResult {
  readonly actions: readonly ProviderAction[];
  readonly sources: readonly ProviderSource[];
  readonly artifacts: readonly ProviderArtifact[];
  /** The fields of the result that are not among those; undefined if there are none. */
  readonly rest: unknown;
}

/**
 * Reads the result of a tool that the provider of the model ran. It knows the record of the Standard Agents specification 0.15
 * (`actions`, `artifacts`, `results`), `action` and `sources` of OpenAI, and the list of pages of Anthropic. Only web addresses become
 * links.
 */
export function readProviderResult(result: unknown): ProviderResult {
  // A list of pages, each with its text in an encrypted form that only the provider reads.
  if (Array.isArray(result)) return readProviderResult({ results: result });
  if (!isRecord(result)) return { actions: [], sources: [], artifacts: [], rest: result };
  const { action, actions, sources, results, artifacts, ...others } = result;
  const steps = [action, actions].flat().filter(isRecord);
  const pages = [...steps.flatMap((step) => step.sources), sources, results].flat();
  const found = pages.flatMap(readSource);
  const isRead = Array.isArray(results) && results.every((page) => readSource(page).length > 0);
  const rest = { ...others, ...(results !== undefined && !isRead && { results }) };
  return {
    actions: steps.flatMap(readAction),
    sources: [...new Map(found.map((source) => [source.url, source])).values()],
    artifacts: (Array.isArray(artifacts) ? artifacts : []).flatMap(readArtifact),
    rest: Object.keys(rest).length === 0 ? undefined : rest,
  };
}

function readAction({ type, query, url, pattern }: Readonly<Record<string, unknown>>): ProviderAction[] {
  if (typeof type !== 'string') return [];
  return [{ type, subject: [query, url, pattern].find((text) => typeof text === 'string') }];
}

function readSource(page: unknown): ProviderSource[] {
  if (!isRecord(page) || !isWebAddress(page.url)) return [];
  return [{ url: page.url, title: typeof page.title === 'string' ? page.title : undefined }];
}

function readArtifact(artifact: unknown): ProviderArtifact[] {
  if (!isRecord(artifact)) return [];
  const { title, path, id, type, mediaType, url } = artifact;
  const name = [title, path, id, type].find((text) => typeof text === 'string' && text !== '');
  return [
    {
      name: typeof name === 'string' ? name : '',
      mediaType: typeof mediaType === 'string' ? mediaType : 'application/octet-stream',
      url: isWebAddress(url) ? url : undefined,
    },
  ];
}

function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}
