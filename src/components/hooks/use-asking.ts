import { useContext, useState } from 'react';
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
  /** Another key for each form of the question: what a person typed, picked or saw of one form says nothing of the next. */
  readonly form: number;
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
  const form = useForm(tool);
  // Before the paint: a press that waited for this render reaches its new content.
  useBeforePaint(() => {
    if (form > 0) rearm();
  }, [form, rearm]);
  return { surface, arming, answer, form };
}

/** Counts how often the text of the question, or what will run, has changed under the hand of the person. */
function useForm(tool: AnyTool): number {
  const [shown, setShown] = useState({ tool, form: 0 });
  if (shown.tool === tool) return shown.form;
  const isSame = deepEqual(readAsked(shown.tool), readAsked(tool));
  const form = isSame ? shown.form : shown.form + 1;
  setShown({ tool, form });
  return form;
}

/** Reads what a person sees of a question. */
function readAsked({ toolCallId, toolName, args, definition = { interactive: true } }: AnyTool): unknown {
  const { title, description, message, severity, confirmLabel, declineLabel } = definition;
  return [toolCallId, toolName, args, title, description, message, severity, confirmLabel, declineLabel];
}
