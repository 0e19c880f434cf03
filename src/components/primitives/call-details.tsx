import { useState } from 'react';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { maskSecrets, withoutSecrets } from '../../shared/secrets.ts';
import type { AnyTool } from '../any-tool.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { LongText } from './long-text.tsx';
import { Slot } from './slot.tsx';

/** The whole call as the agent sent it, but for its secrets, below a question that lists no arguments. Rendered only while it is open, because its text would be on the page twice. */
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
          <LongText text={printArguments(tool)} />
        </>
      )}
    </Slot>
  );
}

function printArguments({ args, definition }: AnyTool): string {
  try {
    const schema = definition?.input && readStandardJsonSchema(definition.input);
    return JSON.stringify(maskSecrets(withoutSecrets(args, schema)), null, 2) ?? String(args);
  } catch {
    // An app's schema may have returned arguments that JSON cannot carry.
    return String(args);
  }
}
