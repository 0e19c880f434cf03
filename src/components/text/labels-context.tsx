import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { englishLabels, type Labels } from './labels.ts';

const LabelsContext = /* @__PURE__ */ createContext<Labels>(englishLabels);

/** Sets the strings of every component below; parts left out come from the provider above, at last from English. */
export function LabelsProvider({
  labels,
  children,
}: {
  /** Strings to replace. Keep its identity stable, or every component below renders with its parent. */
  labels?: Partial<Labels> | undefined;
  children: ReactNode;
}) {
  const above = useContext(LabelsContext);
  const merged = useMemo(() => (labels === undefined ? above : { ...above, ...labels }), [above, labels]);
  return <LabelsContext.Provider value={merged}>{children}</LabelsContext.Provider>;
}

/** The strings in force here. */
export function useLabels(): Labels {
  return useContext(LabelsContext);
}
