import type { ComponentType, ReactNode } from 'react';
import type { DialogFrameProps } from './dialog-frame.tsx';
import type { QuestionProps } from './question.tsx';
import { QuestionBoundary } from './tool-boundary.tsx';

/** Props of a component that asks a question on either surface. */
export type OnSurface<Props extends QuestionProps> = Props &
  DialogFrameProps & { readonly surface: 'dialog' | 'card' };

/** Makes a modal dialog of a question. If the question cannot be rendered, its call fails, and the page stays. */
export function createDialog<Props extends QuestionProps>(Ask: ComponentType<OnSurface<Props>>) {
  return function QuestionDialog(props: Props & DialogFrameProps): ReactNode {
    return (
      <QuestionBoundary tool={props.tool} onError={props.onError}>
        <Ask {...props} surface="dialog" />
      </QuestionBoundary>
    );
  };
}

/** Makes a card in the flow of the page, which takes no focus by itself. */
export function createCard<Props extends QuestionProps>(Ask: ComponentType<OnSurface<Props>>) {
  return function QuestionCard(props: Props): ReactNode {
    return (
      <QuestionBoundary tool={props.tool} onError={props.onError}>
        <Ask {...props} surface="card" />
      </QuestionBoundary>
    );
  };
}
