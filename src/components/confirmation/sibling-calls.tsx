import type { AnyTool } from '../primitives/any-tool.ts';
import { ArgumentsView } from '../primitives/arguments-view.tsx';
import { readPrompt } from '../primitives/question.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';

/** What else "Confirm all" would confirm: nobody should say yes to what they could not read. */
export function SiblingCalls({ tools }: { tools: readonly AnyTool[] }) {
  const labels = useLabels();
  if (tools.length === 0) return null;
  return (
    <Slot slotName="details" as="details" className="hr-details">
      <summary>{labels.otherCalls(tools.length)}</summary>
      <ul className="hr-items">
        {tools.map((tool) => {
          const { title, message, rest } = readPrompt(tool, undefined, labels);
          return (
            <li key={tool.toolCallId}>
              <p>{message === undefined ? title : `${title}: ${message}`}</p>
              <ArgumentsView value={rest} />
            </li>
          );
        })}
      </ul>
    </Slot>
  );
}
