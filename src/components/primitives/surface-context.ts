import { createContext, type RefObject, useId, useMemo } from 'react';
import type { AnyTool } from './any-tool.ts';

/** What a question is shown on. Bodies are the same on both; titles and the close button differ. */
export interface Surface {
  readonly kind: 'dialog' | 'card';
  readonly titleId: string;
  readonly descriptionId: string;
}

/** What names and describes a surface stands in it, in its header. */
export function useSurface(kind: Surface['kind']): Surface {
  const id = useId();
  return useMemo(() => ({ kind, titleId: `${id}title`, descriptionId: `${id}description` }), [id, kind]);
}

export const SurfaceContext = /* @__PURE__ */ createContext<Surface | undefined>(undefined);

/** Set by a frame that keeps one backdrop for a row of dialogs. */
export interface DialogFrameValue {
  readonly remember: () => void;
  readonly restore: () => void;
  /** When somebody last pressed on it, or on a dialog it holds. */
  readonly pressedAt: RefObject<number>;
}

export const DialogFrameContext = /* @__PURE__ */ createContext<DialogFrameValue | undefined>(undefined);

/** Other calls that wait, for a question that can answer several at once. */
export interface Siblings {
  readonly waiting: readonly AnyTool[];
  /** Tells the queue that a call has its answer. */
  markAnswered(tool: AnyTool): void;
}

export const SiblingsContext = /* @__PURE__ */ createContext<Siblings | undefined>(undefined);

/** What a question and the row it stands in tell each other, so that nothing typed goes away with its call. */
export interface RetainedQuestions {
  /** Something was typed into this question; should its call end without an answer, the question has to stay. */
  markDirty(tool: AnyTool): void;
  /** Whether the call has ended and only its question is still there. */
  isEnded(tool: AnyTool): boolean;
}

export const RetainedQuestionsContext = /* @__PURE__ */ createContext<RetainedQuestions | undefined>(
  undefined,
);

/** "2 of 3" above a title, where several calls wait. */
export interface QueuePosition {
  readonly index: number;
  readonly total: number;
}

export const QueuePositionContext = /* @__PURE__ */ createContext<QueuePosition | undefined>(undefined);
