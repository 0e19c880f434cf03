/**
 * Slots let an app change elements of the kit. A component of the kit is a whole dialog or form, so the app reaches its
 * elements by name, as with `classNames` and `components` of react-day-picker. A function of the props renders an element,
 * as with `render` of Base UI. With `asChild`, the app would have to write the tree of the kit again.
 */
import {
  type ComponentPropsWithRef,
  createContext,
  createElement,
  forwardRef,
  type JSX,
  type ReactElement,
  type ReactNode,
  useContext,
  useMemo,
} from 'react';
import { joinWords } from './join-words.ts';

/** The elements of the kit that can be changed. */
export type SlotName =
  | 'arguments'
  | 'attachment'
  | 'bar'
  | 'body'
  | 'button'
  | 'call'
  | 'card'
  | 'checkbox'
  | 'composer'
  | 'constant'
  | 'countdown'
  | 'description'
  | 'details'
  | 'dialog'
  | 'error'
  | 'errorSummary'
  | 'field'
  | 'fieldset'
  | 'file'
  | 'fileDrop'
  | 'footer'
  | 'form'
  | 'header'
  | 'hint'
  | 'input'
  | 'label'
  | 'mark'
  | 'message'
  | 'notice'
  | 'option'
  | 'outcome'
  | 'overlay'
  | 'progress'
  | 'pill'
  | 'quote'
  | 'radio'
  | 'reasoning'
  | 'row'
  | 'select'
  | 'statusBar'
  | 'severity'
  | 'strip'
  | 'textarea'
  | 'title'
  | 'toast'
  | 'transcript';

/** The props of the kit's element: attributes, handlers, `ref`, and its state as `data-*`. */
// biome-ignore lint/suspicious/noExplicitAny: the props of any element, to be spread on the one an app renders
export type ElementProps = Record<string, any>;

export interface SlotOptions {
  /** Added to the class names of the element. */
  readonly className?: string | undefined;
  /**
   * Renders the slot in place of the kit's element. Spread all of `props`, with `ref`, onto one element of the same role:
   * labels, errors, focus and keys depend on them. In React 18, a component needs `forwardRef` for that.
   */
  readonly render?: ((props: ElementProps) => ReactElement) | undefined;
}

/** Changes to elements of the kit, by slot name. Keep the object's identity stable, or every element renders with its parent. */
export type Slots = { readonly [Name in SlotName]?: SlotOptions };

const SlotsContext = /* @__PURE__ */ createContext<Slots>({});

/** Changes elements of every component below. Slots that are not named keep the change of a provider above. */
export function SlotsProvider({
  slots,
  children,
}: {
  /** Class names and renderers, by the name of the slot. */
  slots?: Slots | undefined;
  children: ReactNode;
}) {
  const above = useContext(SlotsContext);
  const merged = useMemo(() => (slots === undefined ? above : { ...above, ...slots }), [above, slots]);
  return <SlotsContext.Provider value={merged}>{children}</SlotsContext.Provider>;
}

type Tag = keyof JSX.IntrinsicElements;

/** An element of the kit: the app's `render` for this slot, else the element `as`. */
export const Slot = /* @__PURE__ */ forwardRef(function Slot(
  { slotName, as, className, ...rest }: { slotName: SlotName; as: Tag; className?: string },
  ref,
) {
  const options = useContext(SlotsContext)[slotName];
  const props = { ...rest, ref, className: joinWords(className, options?.className) };
  return options?.render === undefined ? createElement(as, props) : options.render(props);
}) as <Element extends Tag>(
  props: { slotName: SlotName; as: Element } & ComponentPropsWithRef<Element>,
) => ReactElement;
