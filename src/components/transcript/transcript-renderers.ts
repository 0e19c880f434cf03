import { type ComponentType, createContext, type ReactNode, useState } from 'react';
import type { ToolCallPart, ToolCallStatus, UIMessage, UIMessagePart } from '../../core/state/message.ts';
import type { InteractiveTool } from '../../core/tools/client-tool.ts';
import { hasOwn } from '../../shared/json.ts';

type PartOf<Kind extends UIMessagePart['type']> = Extract<UIMessagePart, { readonly type: Kind }>;

/** Props of a component that renders one kind of message part. */
export interface PartRendererProps<Part extends UIMessagePart = UIMessagePart> {
  readonly part: Part;
  /** The author of the message. */
  readonly role: UIMessage['role'];
  /** The kit's own view of the part: return it unchanged, or put something around it. */
  readonly children: ReactNode;
}

type DeepPartial<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> }
    : Value;

/**
 * Props of a component that renders the calls of one tool. The same call keeps one mounted component: while its arguments
 * stream, when it ends, and under later messages.
 */
export interface ToolRendererProps<Args = Record<string, unknown>, Result = unknown> {
  readonly part: ToolCallPart;
  /**
   * The complete arguments as the agent sent them. `undefined` while they stream, and for a call that was cut off before
   * its arguments are known to be complete.
   */
  readonly args: Args | undefined;
  /** The arguments that have arrived so far: all of them once they are complete. */
  readonly partialArgs: DeepPartial<Args>;
  readonly status: ToolCallStatus;
  /** `undefined` until the call has a result. Without the secrets that a schema marks. */
  readonly result: Result | undefined;
  /** The call while it waits for a person, to submit, decline or cancel it. */
  readonly tool?: InteractiveTool<Args, Result> | undefined;
}

/**
 * Components that replace the kit's view of a message part, or wrap a whole message.
 *
 * - A key such as `text` or `tool-call` names a kind of part. Its component gets the kit's own view as `children`.
 * - `tools` names tools. The component of a tool renders its calls instead of `tool-call`.
 * - `message` wraps all parts of a message.
 *
 * Define the components outside of your own components. React takes a component written inline for another one in each
 * render, and its state is lost.
 */
export type TranscriptRenderers = {
  readonly [Kind in UIMessagePart['type']]?: ComponentType<PartRendererProps<PartOf<Kind>>>;
} & {
  readonly message?: ComponentType<{ readonly message: UIMessage; readonly children: ReactNode }>;
  // biome-ignore lint/suspicious/noExplicitAny: components of any argument and result types fit in one record
  readonly tools?: Readonly<Record<string, ComponentType<ToolRendererProps<any, any>>>>;
};

export const RenderersContext = /* @__PURE__ */ createContext<TranscriptRenderers>({});

/** The app's component for a tool. Model output may name a tool `constructor`, so only own properties count. */
export function findToolRenderer(
  { tools = {} }: TranscriptRenderers,
  toolName: string,
): ComponentType<ToolRendererProps> | undefined {
  return hasOwn(tools, toolName) ? tools[toolName] : undefined;
}

/** Returns the same object while it holds the same components: an inline `renderers={{ ... }}` must not render messages again. */
export function useStableRenderers(renderers: TranscriptRenderers = NO_RENDERERS): TranscriptRenderers {
  const [stable, setStable] = useState(renderers);
  if (isSame(stable, renderers)) return stable;
  setStable(renderers);
  return renderers;
}

const NO_RENDERERS: TranscriptRenderers = {};

function isSame(
  { tools: toolsBefore = {}, ...before }: TranscriptRenderers,
  { tools: toolsNow = {}, ...now }: TranscriptRenderers,
): boolean {
  return haveSameValues(before, now) && haveSameValues(toolsBefore, toolsNow);
}

function haveSameValues(one: Readonly<Record<string, unknown>>, other: typeof one): boolean {
  return Object.keys({ ...one, ...other }).every((key) => one[key] === other[key]);
}
