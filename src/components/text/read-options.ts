import { hasOwn, isRecord, type JsonValue, ownString } from '../../shared/json.ts';
import { displayText } from './safe-text.ts';

/** An option has any JSON value; form values refer to options by position. */
export interface FieldOption {
  readonly value: JsonValue;
  readonly label: string;
  readonly description?: string | undefined;
}

/** Makes an option of a choice. Without a name, its value is the label. */
export function toOption(value: JsonValue, name?: unknown): FieldOption {
  const names = [name, value].filter((text) => typeof text === 'string' && text.trim() !== '');
  return { value, label: displayText(String(names[0] ?? JSON.stringify(value)), 300) };
}

/**
 * Reads options as models write them: plain values, or objects with a value and a label under one of their usual names.
 */
export function readOptionList(list: readonly unknown[]): readonly FieldOption[] {
  return list.flatMap((item): FieldOption[] => {
    if (!isRecord(item)) return item === undefined ? [] : [toOption(item as JsonValue)];
    const label = ['label', 'title', 'name', 'text'].map((key) => ownString(item, key)).find(Boolean);
    const key = ['value', 'id', 'key', 'const', 'name', 'label', 'title'].find((candidate) =>
      hasOwn(item, candidate),
    );
    if (key === undefined) return [];
    return [{ ...toOption(item[key] as JsonValue, label), description: ownString(item, 'description') }];
  });
}
