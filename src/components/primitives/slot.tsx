/**
 * How an app changes what the kit draws. The kit's components are whole (a dialog, a form), so their parts are
 * reached by name from outside, as with react-day-picker's `classNames` and `components`; what a part becomes is a
 * function of its props, as with Base UI's `render`. `asChild` would need the app to write the kit's tree again.
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
  | 'connection'
  | 'constant'
  | 'countdown'
  | 'description'
  | 'details'
  | 'dialog'
  | 'error'
  | 'errorSummary'
  | 'field'
  | 'fieldset'
  | 'fileDrop'
  | 'footer'
  | 'form'
  | 'header'
  | 'hint'
  | 'input'
  | 'label'
  | 'message'
  | 'notice'
  | 'option'
  | 'outcome'
  | 'overlay'
  | 'radio'
  | 'reasoning'
  | 'row'
  | 'select'
  | 'textarea'
  | 'title'
  | 'toast'
  | 'transcript';

/** What a part would be rendered with: attributes, handlers, `ref`, and its state as `data-*`. */
// biome-ignore lint/suspicious/noExplicitAny: the props of any element, to be spread on the one an app renders
export type ElementProps = Record<string, any>;

export interface SlotOptions {
  /** Added to the part's own class names. */
  readonly className?: string | undefined;
  /**
   * Renders the part in place of the kit's element. Spread all of `props` onto one element of the same role, `ref`
   * included: labels, errors, focus and keys hang on them. A component of React 18 has to be a `forwardRef`.
   */
  readonly render?: ((props: ElementProps) => ReactElement) | undefined;
}

/** Changes to parts, by their name. Keep its identity stable, or every part renders with its parent. */
export type Slots = { readonly [Name in SlotName]?: SlotOptions };

const SlotsContext = /* @__PURE__ */ createContext<Slots>({});

/** Changes parts of every component below; parts left out come from the provider above. */
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

/** An element of the kit: the app's where the app has one, else `as`. */
export const Slot = /* @__PURE__ */ forwardRef(function Part(
  { slotName, as, className, ...rest }: { slotName: SlotName; as: Tag; className?: string },
  ref,
) {
  const options = useContext(SlotsContext)[slotName];
  const props = { ...rest, ref, className: joinWords(className, options?.className) };
  return options?.render === undefined ? createElement(as, props) : options.render(props);
}) as <Element extends Tag>(
  props: { slotName: SlotName; as: Element } & ComponentPropsWithRef<Element>,
) => ReactElement;
