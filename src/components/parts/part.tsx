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
export type PartName =
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
export type RenderedPartProps = Record<string, any>;

export interface PartOptions {
  /** Added to the part's own class names. */
  readonly className?: string | undefined;
  /**
   * Renders the part in place of the kit's element. Spread all of `props` onto one element of the same role, `ref`
   * included: labels, errors, focus and keys hang on them. A component of React 18 has to be a `forwardRef`.
   */
  readonly render?: ((props: RenderedPartProps) => ReactElement) | undefined;
}

/** Changes to parts, by their name. Keep its identity stable, or every part renders with its parent. */
export type Parts = { readonly [Name in PartName]?: PartOptions };

const PartsContext = /* @__PURE__ */ createContext<Parts>({});

/** Changes parts of every component below; parts left out come from the provider above. */
export function PartsProvider({
  parts,
  children,
}: {
  /** Class names and renderers, by the name of the part. */
  parts?: Parts | undefined;
  children: ReactNode;
}) {
  const above = useContext(PartsContext);
  const merged = useMemo(() => (parts === undefined ? above : { ...above, ...parts }), [above, parts]);
  return <PartsContext.Provider value={merged}>{children}</PartsContext.Provider>;
}

type Tag = keyof JSX.IntrinsicElements;

/** An element of the kit: the app's where the app has one, else `as`. */
export const Part = /* @__PURE__ */ forwardRef(function Part(
  { partName, as, className, ...rest }: { partName: PartName; as: Tag; className?: string },
  ref,
) {
  const options = useContext(PartsContext)[partName];
  const props = { ...rest, ref, className: joinWords(className, options?.className) };
  return options?.render === undefined ? createElement(as, props) : options.render(props);
}) as <Element extends Tag>(
  props: { partName: PartName; as: Element } & ComponentPropsWithRef<Element>,
) => ReactElement;
