import { createContext } from 'react';

/** What a question is shown on. Bodies are the same on both; titles and the close button differ. */
export type Surface =
  | { readonly kind: 'dialog' }
  | { readonly kind: 'card'; readonly titleId: string; readonly descriptionId: string };

export const SurfaceContext = /* @__PURE__ */ createContext<Surface | undefined>(undefined);

/** Set by a frame that keeps one backdrop for a row of dialogs. */
export interface DialogFrameValue {
  readonly remember: () => void;
  readonly restore: () => void;
}

export const DialogFrameContext = /* @__PURE__ */ createContext<DialogFrameValue | undefined>(undefined);

/** "2 of 3" above a title, where several calls wait. */
export interface QueuePosition {
  readonly index: number;
  readonly total: number;
}

export const QueuePositionContext = /* @__PURE__ */ createContext<QueuePosition | undefined>(undefined);
