import { type ComponentType, createContext, type ReactNode, useState } from 'react';
import type { UIMessage, UIMessagePart } from '../../state/message.ts';

type PartOf<Kind extends UIMessagePart['type']> = Extract<UIMessagePart, { readonly type: Kind }>;

/** What a component in a slot for parts is given. */
export interface PartRendererProps<Part extends UIMessagePart = UIMessagePart> {
  readonly part: Part;
  /** Who said it. */
  readonly role: UIMessage['role'];
  /** What would be shown without the slot: return it for parts that are not your business, or put something around it. */
  readonly children: ReactNode;
}

/**
 * Components that show a part, or a message as a whole, in place of the kit's own. Each is given what would be shown
 * as `children`. Define them outside of your components: one that is written inline is another component in each
 * render, and loses its state.
 */
export type TranscriptRenderers = {
  readonly [Kind in UIMessagePart['type']]?: ComponentType<PartRendererProps<PartOf<Kind>>>;
} & {
  readonly message?: ComponentType<{ readonly message: UIMessage; readonly children: ReactNode }>;
};

export const RenderersContext = /* @__PURE__ */ createContext<TranscriptRenderers>({});

/** The same object as long as it holds the same components, so that `slots={{ ... }}` renders no message anew. */
export function useStableRenderers(slots: TranscriptRenderers = NO_RENDERERS): TranscriptRenderers {
  const [kept, keep] = useState(slots);
  if (isSame(kept, slots)) return kept;
  keep(slots);
  return slots;
}

const NO_RENDERERS: TranscriptRenderers = {};

function isSame(before: TranscriptRenderers, now: TranscriptRenderers): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(now)] as (keyof TranscriptRenderers)[]);
  return [...names].every((name) => before[name] === now[name]);
}
