import { type ComponentType, memo, type ReactNode, useContext } from 'react';
import type { UIMessage, UIMessagePart } from '../../core/state/message.ts';
import { CustomToolCall } from './custom-tool-call.tsx';
import { FilePartView, SourcePartView } from './link-parts.tsx';
import {
  ObjectPartView,
  OperationPartView,
  ReasoningPartView,
  TextPartView,
  TodoPartView,
} from './plain-parts.tsx';
import { ToolCallView } from './tool-call-view.tsx';
import { findToolRenderer, type PartRendererProps, RenderersContext } from './transcript-renderers.ts';

interface PartViewProps {
  readonly part: UIMessagePart;
  readonly role: UIMessage['role'];
  /** The name of the worker that wrote the part, if the part before it is from elsewhere. */
  readonly origin: string | undefined;
  /** The call of this part waits for a person. */
  readonly waiting: boolean;
}

/** One part of a message. Unchanged parts keep their identity, so only changed parts render again. */
export const PartView = /* @__PURE__ */ memo(function PartView(props: PartViewProps) {
  const { part, origin } = props;
  return (
    <div
      className="hr-part"
      data-part={part.type}
      data-status={'status' in part ? part.status : undefined}
      data-thread={part.thread}
    >
      {origin !== undefined && <p className="hr-part-origin">{origin}</p>}
      <PartContent {...props} />
    </div>
  );
});

function PartContent({ part, role, waiting }: PartViewProps): ReactNode {
  const renderers = useContext(RenderersContext);
  switch (part.type) {
    case 'text':
      return renderPart(renderers.text, part, role, <TextPartView part={part} />);
    case 'reasoning':
      return renderPart(renderers.reasoning, part, role, <ReasoningPartView part={part} />);
    case 'tool-call': {
      const component = findToolRenderer(renderers, part.toolName);
      if (component !== undefined) {
        // A retry may put another call where this one was, and that needs a component of its own.
        return <CustomToolCall key={part.toolCallId} component={component} part={part} waiting={waiting} />;
      }
      return renderPart(renderers['tool-call'], part, role, <ToolCallView part={part} waiting={waiting} />);
    }
    case 'operation':
      return renderPart(renderers.operation, part, role, <OperationPartView part={part} />);
    case 'source':
      return renderPart(renderers.source, part, role, <SourcePartView part={part} />);
    case 'file':
      return renderPart(renderers.file, part, role, <FilePartView part={part} />);
    case 'object':
      return renderPart(renderers.object, part, role, <ObjectPartView part={part} />);
    case 'todo':
      return renderPart(renderers.todo, part, role, <TodoPartView part={part} />);
    default:
      part satisfies never;
      // Messages stored by a newer version may hold kinds of parts that this version does not know.
      return null;
  }
}

function renderPart<Part extends UIMessagePart>(
  Renderer: ComponentType<PartRendererProps<Part>> | undefined,
  part: Part,
  role: UIMessage['role'],
  view: ReactNode,
): ReactNode {
  if (Renderer === undefined) return view;
  return (
    <Renderer part={part} role={role}>
      {view}
    </Renderer>
  );
}
