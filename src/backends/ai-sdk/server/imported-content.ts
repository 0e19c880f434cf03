/**
 * The steps of the assistant in the form of the model's API. Claude refuses the answer to a call without the thinking that led to it and its
 * signature, so a call that is open in the imported messages could not go on without it.
 */
import { compact } from '../../../shared/json.ts';
import { toArgs } from '../decode-chunk.ts';
import { isOver } from '../tool-parts.ts';
import { type AiSdkPart, isToolPart, toolNameOf } from '../ui-message.ts';

/** Returns the content parts of a step, or undefined if its text and its calls say it all. */
export function toImportedContent(step: readonly AiSdkPart[]): readonly object[] | undefined {
  const needsMore = step.some(
    (part) =>
      part.type === 'reasoning' ||
      part.type === 'file' ||
      part.providerMetadata !== undefined ||
      part.callProviderMetadata !== undefined ||
      (isToolPart(part) && part.providerExecuted === true),
  );
  return needsMore ? step.flatMap(toContent) : undefined;
}

function toContent(part: AiSdkPart): readonly object[] {
  const { type, text, url, mediaType, filename, providerMetadata: providerOptions } = part;
  if (isToolPart(part)) return toCallContent(part);
  switch (type) {
    case 'text':
    case 'reasoning':
      return [compact({ type, text, providerOptions })];
    case 'file':
      return [compact({ type, data: url, mediaType, filename, providerOptions })];
    default:
      return [];
  }
}

/** A call that the provider executed has its result beside it. The results of other calls are in their records. */
function toCallContent(part: Parameters<typeof toolNameOf>[0]): readonly object[] {
  const { toolCallId, input, output, errorText, providerExecuted } = part;
  const { callProviderMetadata, resultProviderMetadata } = part;
  const call = { toolCallId, toolName: toolNameOf(part) };
  const said = compact({
    type: 'tool-call',
    ...call,
    input: toArgs(input ?? {}),
    providerExecuted,
    providerOptions: callProviderMetadata,
  });
  if (!providerExecuted) return [said];
  // A call of the provider without its result would be refused with every later request.
  if (!isOver(part)) return [];
  const value =
    part.state === 'output-error'
      ? { type: 'error-text', value: String(errorText) }
      : { type: 'json', value: output ?? null };
  return [
    said,
    compact({ type: 'tool-result', ...call, output: value, providerOptions: resultProviderMetadata }),
  ];
}
