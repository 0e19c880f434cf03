import { useContext, useRef, useState } from 'react';
import { deepEqual } from '../../shared/deep-equal.ts';
import type { AnyTool } from '../any-tool.ts';
import { ArrivesLaterContext, QueueSurfaceContext, type Surface } from './surface-context.ts';
import { type AnswerControls, type AnswerOutcome, useAnswer } from './use-answer.ts';
import { type Arming, useArming } from './use-arming.ts';
import { useBeforePaint } from './use-before-paint.ts';

/** A question that is shown: when it takes answers, and what became of them. */
export interface Asking {
  readonly surface: Surface['kind'];
  readonly arming: Arming;
  readonly answer: AnswerControls;
}

/** What all questions have in common, those of the kit and those of an app. */
export function useAsking(
  tool: AnyTool,
  onSettled?: (outcome: AnswerOutcome) => void,
  ownSurface?: Surface['kind'],
): Asking {
  const around = useContext(QueueSurfaceContext);
  const surface = ownSurface ?? around;
  const arrivesLater = useContext(ArrivesLaterContext);
  const [startsArmed] = useState(surface === 'card' && !arrivesLater);
  const arming = useArming(startsArmed);
  const answer = useAnswer(tool, onSettled, arming);
  const { rearm } = arming;
  const shown = useRef(tool);
  // Before the paint: a press that waited for this render reaches its new content.
  useBeforePaint(() => {
    const before = shown.current;
    shown.current = tool;
    // The text of the question or what will run has changed under the hand of the person.
    if (before !== tool && !deepEqual(readAsked(before), readAsked(tool))) rearm();
  }, [tool, rearm]);
  return { surface, arming, answer };
}

/** Reads what a person sees of a question. */
function readAsked({ toolCallId, toolName, args, definition = { interactive: true } }: AnyTool): unknown {
  const { title, description, message, severity, confirmLabel, declineLabel } = definition;
  return [toolCallId, toolName, args, title, description, message, severity, confirmLabel, declineLabel];
}
