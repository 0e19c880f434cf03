import { type ConfirmationTone, readDeclaredTone } from '../../shared/confirmation-tone.ts';
import type { AnyTool } from '../parts/any-tool.ts';

/** How careful a person should be with a call. */
export function readTone(tool: Pick<AnyTool, 'definition' | 'asks'>): ConfirmationTone {
  const tone = readDeclaredTone(tool.definition);
  // Nobody knows how far the first run came, so a second one is never waved through.
  return tool.asks === 'rerun' && tone === 'neutral' ? 'caution' : tone;
}
