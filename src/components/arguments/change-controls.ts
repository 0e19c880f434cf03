import type { ReactNode } from 'react';

/** Lets a person change arguments in the rows of a table. */
export interface ChangeControls {
  /** The arguments that may be changed. One that the call does not have is listed all the same, so that it can be added. */
  readonly names: readonly string[];
  /** The arguments that this person has changed. */
  readonly changed: readonly string[];
  /** The argument whose row is a field. */
  readonly editing: string | undefined;
  /** The field of that argument. */
  readonly field: ReactNode;
  /** The argument that was worked on last. Its button gets the focus, and its value is read out. */
  readonly touched: string | undefined;
  /** A field is open no more, or its button would be pressed in vain: the question is answered. */
  readonly isClosed: boolean;
  start(name: string): void;
  undo(name: string): void;
}
