import { useCallback, useState } from 'react';
import { type AnyTool, callKey } from '../any-tool.ts';

/** The questions that the person has put off, by `dismiss: 'later'`. They are not answered, and a reload shows them again. */
export function usePutOff(open: readonly AnyTool[]): {
  /** In the order in which they were put off. */
  readonly putOff: readonly AnyTool[];
  readonly later: (tool: AnyTool) => void;
  readonly bringBack: (tool: AnyTool) => void;
} {
  const [keys, setKeys] = useState<readonly string[]>([]);
  const later = useCallback((tool: AnyTool) => setKeys((before) => [...before, callKey(tool)]), []);
  const bringBack = useCallback(
    (tool: AnyTool) => setKeys((before) => before.filter((key) => key !== callKey(tool))),
    [],
  );
  const putOff = keys.flatMap((key) => open.find((tool) => callKey(tool) === key) ?? []);
  return { putOff, later, bringBack };
}
