import { type ComponentType, memo, type ReactNode, useContext } from 'react';
import type { UIMessage, UIMessagePart } from '../../state/message.ts';
import { FilePartView, SourcePartView } from './link-parts.tsx';
import { ObjectPartView, OperationPartView, ReasoningPartView, TextPartView } from './plain-parts.tsx';
import { ToolCallView } from './tool-call-view.tsx';
import { type PartRendererProps, RenderersContext } from './transcript-renderers.ts';

interface PartViewProps {
  readonly part: UIMessagePart;
  readonly role: UIMessage['role'];
  /** The call of this part waits for a person. */
  readonly waiting: boolean;
}

/** One part of a message. Parts keep their identity, so only those that changed render. */
export const PartView = /* @__PURE__ */ memo(function PartView(props: PartViewProps) {
  const { part } = props;
  return (
    <div className="hr-part" data-part={part.type} data-status={'status' in part ? part.status : undefined}>
      <PartContent {...props} />
    </div>
  );
});

function PartContent({ part, role, waiting }: PartViewProps): ReactNode {
  const slots = useContext(RenderersContext);
  switch (part.type) {
    case 'text':
      return inSlot(slots.text, part, role, <TextPartView part={part} />);
    case 'reasoning':
      return inSlot(slots.reasoning, part, role, <ReasoningPartView part={part} />);
    case 'tool-call':
      return inSlot(slots['tool-call'], part, role, <ToolCallView part={part} waiting={waiting} />);
    case 'operation':
      return inSlot(slots.operation, part, role, <OperationPartView part={part} />);
    case 'source':
      return inSlot(slots.source, part, role, <SourcePartView part={part} />);
    case 'file':
      return inSlot(slots.file, part, role, <FilePartView part={part} />);
    case 'object':
      return inSlot(slots.object, part, role, <ObjectPartView part={part} />);
    default:
      part satisfies never;
      // Messages a server kept may hold kinds of parts that came after this was written.
      return null;
  }
}

function inSlot<Part extends UIMessagePart>(
  Slot: ComponentType<PartRendererProps<Part>> | undefined,
  part: Part,
  role: UIMessage['role'],
  view: ReactNode,
): ReactNode {
  if (Slot === undefined) return view;
  return (
    <Slot part={part} role={role}>
      {view}
    </Slot>
  );
}
