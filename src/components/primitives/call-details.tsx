import { useState } from 'react';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { AnyTool } from './any-tool.ts';
import { Slot } from './slot.tsx';

const MAX_JSON_LENGTH = 20_000;

/** The call as the agent sent it. Rendered only while it is open, because its text would be on the page twice. */
export function CallDetails({ tool }: { tool: AnyTool }) {
  const labels = useLabels();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Slot
      slotName="details"
      as="details"
      className="hr-details"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{labels.details}</summary>
      {isOpen && (
        <>
          <p className="hr-faint">{labels.askedBy(displayText(tool.toolName, 120))}</p>
          {/* Long JSON scrolls in its box, so the keyboard has to reach the box. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs a tab stop */}
          <pre className="hr-json" tabIndex={0}>
            {displayText(printJson(tool.args), MAX_JSON_LENGTH)}
          </pre>
        </>
      )}
    </Slot>
  );
}

function printJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    // An app's schema may have returned arguments that JSON cannot carry.
    return String(value);
  }
}
