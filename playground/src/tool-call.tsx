import type { ToolCallPart } from 'handrail';
import type { PartRendererProps } from 'handrail/components';
import { RunCodeCard } from 'handrail/sandbox';
import { runCode } from './run-code.ts';

/** Code of the agent has a card of its own, to watch it run; every other call is shown as the kit has it. */
export function ToolCall({ part, children }: PartRendererProps<ToolCallPart>) {
  return part.toolName === 'run_code' ? <RunCodeCard tool={runCode} part={part} /> : children;
}
