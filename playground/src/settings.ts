/** What the page is set to. Kept in its address, so that a link shows the same. */

export type Carrier = 'sse' | 'socket';

export interface Settings {
  readonly carrier: Carrier;
  /** Id of a backend; undefined for the server's own choice. */
  readonly backend: string | undefined;
}

export function readSettings(search: string): Settings {
  const query = new URLSearchParams(search);
  return {
    carrier: query.get('carrier') === 'socket' ? 'socket' : 'sse',
    backend: query.get('backend') ?? undefined,
  };
}

export function toSearch({ carrier, backend }: Settings): string {
  const query = new URLSearchParams({ carrier, ...(backend === undefined ? {} : { backend }) });
  return `?${query}`;
}
