import { isRecord } from './json.ts';

/** The same text for the same JSON value, whatever the order of its keys: a client, a model or a store may rebuild objects. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      isRecord(item)
        ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
        : item,
    ) ?? 'undefined'
  );
}
