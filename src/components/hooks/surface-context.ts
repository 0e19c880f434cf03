import { createContext, useId, useMemo } from 'react';
import type { AnyTool } from '../any-tool.ts';

/** The surface of a question. The body is the same on both kinds; the title and the close button differ. */
export interface Surface {
  readonly kind: 'dialog' | 'card';
  readonly titleId: string;
  readonly descriptionId: string;
}

/** Creates the ids by which the header names and describes its surface. */
export function useSurface(kind: Surface['kind']): Surface {
  const id = useId();
  return useMemo(() => ({ kind, titleId: `${id}title`, descriptionId: `${id}description` }), [id, kind]);
}

export const SurfaceContext = /* @__PURE__ */ createContext<Surface | undefined>(undefined);

/** The surface on which a queue shows its questions. A component of the app that renders a question of the kit follows it. */
export const QueueSurfaceContext = /* @__PURE__ */ createContext<Surface['kind']>('dialog');

/**
 * True for a card that comes into a list which is on the page already: the person may be about to press what was at its place, so the card
 * takes no answer for as long as a dialog takes to arm.
 */
export const ArrivesLaterContext = /* @__PURE__ */ createContext(false);

/** The frame that keeps one backdrop for all dialogs of a queue. */
export interface DialogFrameValue {
  readonly remember: () => void;
  readonly restore: () => void;
}

export const DialogFrameContext = /* @__PURE__ */ createContext<DialogFrameValue | undefined>(undefined);

/** The other waiting calls, for a question that can answer several at once. */
export interface Siblings {
  readonly waiting: readonly AnyTool[];
  /** Removes an answered call from the queue. */
  markAnswered(tool: AnyTool): void;
}

export const SiblingsContext = /* @__PURE__ */ createContext<Siblings | undefined>(undefined);

/** Keeps questions whose calls ended while the person typed, so that the typed text stays readable. */
export interface RetainedQuestions {
  /** Notes that the person has typed into a question: it stays when its call ends without an answer. */
  markDirty(tool: AnyTool): void;
  /** Returns true for a call that has ended and whose question stays. */
  isEnded(tool: AnyTool): boolean;
}

export const RetainedQuestionsContext = /* @__PURE__ */ createContext<RetainedQuestions | undefined>(
  undefined,
);

/** The "2 of 3" above a title when several calls wait. */
export interface QueuePosition {
  readonly index: number;
  readonly total: number;
}

export const QueuePositionContext = /* @__PURE__ */ createContext<QueuePosition | undefined>(undefined);

/** Puts a question off, where `dismiss` of the queue is `later`: nothing is answered, and the queue no longer shows it by itself. */
export const LaterContext = /* @__PURE__ */ createContext<((tool: AnyTool) => void) | undefined>(undefined);
