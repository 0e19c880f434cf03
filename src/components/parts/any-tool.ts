import type { InteractiveTool } from '../../store/client-tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: methods of a narrower tool take narrower results
type Call = InteractiveTool<any, any>;

/**
 * A call of any tool. The kit looks at arguments and results only through schemas and guards. A call made by hand, for a
 * test or a preview, needs none of what the engine keeps of its own.
 */
export type AnyTool = Omit<Call, EngineKept> & Partial<Pick<Call, EngineKept>>;

type EngineKept = 'status' | 'getDraft' | 'saveDraft';
