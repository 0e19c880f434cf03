import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { englishLabels, type Labels } from './labels.ts';

const LabelsContext = /* @__PURE__ */ createContext<Labels>(englishLabels);

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
  const merged = useMemo(() => (labels === undefined ? above : { ...above, ...labels }), [above, labels]);
  return <LabelsContext.Provider value={merged}>{children}</LabelsContext.Provider>;
}

/** Returns the strings that the nearest provider sets. */
export function useLabels(): Labels {
  return useContext(LabelsContext);
}
