import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Labels } from './labels.ts';
import { englishSharedLabels, type SharedLabels } from './shared-labels.ts';

/** The strings that replace the English ones. */
const LabelsContext = /* @__PURE__ */ createContext<Partial<Labels>>({});

/** Sets the strings of every component inside. Strings left out come from the provider around it, or else are English. */
export function LabelsProvider({
  labels,
  children,
}: {
  /** Strings to replace. Keep the object's identity stable: a new object renders every component inside again. */
  labels?: Partial<Labels> | undefined;
  children: ReactNode;
}) {
  const above = useContext(LabelsContext);
  const merged = useMemo(() => (labels === undefined ? above : join(above, labels)), [above, labels]);
  return <LabelsContext.Provider value={merged}>{children}</LabelsContext.Provider>;
}

type RoomLabels = readonly Partial<Labels>[];
type Joined<Rooms extends RoomLabels> = Rooms extends readonly [
  infer First,
  ...infer Others extends RoomLabels,
]
  ? First & Joined<Others>
  : unknown;

/**
 * Returns the strings that the nearest provider sets, and for the others the English ones: those that all rooms share, and those of
 * `rooms`. A room names its own, so that a page without the room does not load them.
 */
export function useLabels<Rooms extends RoomLabels>(...rooms: Rooms): SharedLabels & Joined<Rooms> {
  const set = useContext(LabelsContext);
  const english: object = rooms.reduce<object>(join, englishSharedLabels);
  return join(english, set) as SharedLabels & Joined<Rooms>;
}

const joined = /* @__PURE__ */ new WeakMap<object, WeakMap<object, object>>();

/** Returns all strings of both; those of the second count. The same two give the same object, which hooks depend on. */
function join(first: object, second: object): object {
  const known = joined.get(first) ?? new WeakMap<object, object>();
  joined.set(first, known);
  const result = known.get(second) ?? { ...first, ...second };
  known.set(second, result);
  return result;
}
