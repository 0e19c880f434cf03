import { type ComponentType, type ReactNode, useContext, useMemo } from 'react';
import type { ClientToolComponent, DialogKind, Settlement } from '../../core/tools/client-tool.ts';
import type { AnyTool } from '../any-tool.ts';
import { type Elicitation, readElicitation } from '../elicitation/read-elicitation.ts';
import { MissingKind } from './missing-kind.tsx';
import type { KitQuestion } from './pick-question.ts';
import { type KindProps, KindsContext, type QuestionKind } from './question-kinds.ts';

/** A question of the kit, as a dialog or a card. */
export function ToolQuestion({
  question: { kind, elicitation: picked },
  ...props
}: Omit<KindProps, 'elicitation'> & { question: KitQuestion }): ReactNode {
  const { tool } = props;
  const elicitation = useMemo(
    () => (picked === undefined ? (readElicitation(tool) ?? null) : picked),
    [picked, tool],
  );
  const name = nameKind(kind, elicitation);
  const listed = useContext(KindsContext).find((known) => known.name === name);
  if (listed === undefined) return <MissingKind {...props} name={name} />;
  return <listed.Question {...props} elicitation={elicitation} />;
}

/** A tool that asks for a confirmation gets that of its elicitation, if its arguments are one. */
function nameKind(kind: DialogKind, elicitation: Elicitation | null): QuestionKind['name'] {
  if (kind !== 'confirm') return kind;
  const isForm = elicitation?.type === 'form' || elicitation?.type === 'choice';
  return elicitation === null || isForm ? 'confirmation' : 'elicitation';
}

/** The app's own component for a tool. Its tool notifies the queue when the component has answered the call. */
export function CustomQuestion({
  component,
  tool,
  onAnswered,
}: {
  component: ClientToolComponent;
  tool: AnyTool;
  onAnswered: (tool: AnyTool) => void;
}): ReactNode {
  const Component = component as ComponentType<{ tool: AnyTool }>;
  const watched = useMemo(() => watchTool(tool, onAnswered), [tool, onAnswered]);
  return <Component tool={watched} />;
}

/**
 * Returns the same call with methods that notify the queue. The property descriptors keep `status` a getter: a spread would
 * leave it at the stage of this moment for ever.
 */
function watchTool(tool: AnyTool, onAnswered: (tool: AnyTool) => void): AnyTool {
  const notify = (settlement: Settlement) => {
    // A hand-made call may return nothing. That counts as settled.
    if (settlement?.settled !== false) onAnswered(tool);
    return settlement;
  };
  const methods: Partial<AnyTool> = {
    submit: (...answer) => notify(tool.submit(...answer)),
    cancel: (...answer) => notify(tool.cancel(...answer)),
    decline: (...answer) => notify(tool.decline(...answer)),
    ...(tool.fail && { fail: (error: string) => notify(tool.fail?.(error) ?? { settled: true }) }),
  };
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(tool),
    ...Object.getOwnPropertyDescriptors(methods),
  });
}
