import { isRecord } from '../shared/json.ts';
import { warnOnce } from '../shared/warn-once.ts';

/** Characters of an event that a warning shows. */
const EXCERPT_LENGTH = 200;

/** Warns of an event that no transport but another one knows: the route speaks another protocol than the transport. */
export function warnOfForeignEvent(event: unknown): void {
  const known =
    isRecord(event) && typeof event.type === 'string' ? findProtocol(event, event.type) : undefined;
  if (known === undefined) return;
  warnOnce(
    `The agent's server speaks ${known.protocol}, and the transport of this chat does not. It sent ${JSON.stringify(event).slice(0, EXCERPT_LENGTH)}. ` +
      `Use ${known.transport}, or another \`url\`.`,
  );
}

function findProtocol(event: Readonly<Record<string, unknown>>, type: string) {
  if (/^(RUN|TEXT_MESSAGE|TOOL_CALL|STATE|STEP|REASONING)_[A-Z_]+$/.test(type))
    return { protocol: 'AG-UI', transport: "createAgUiTransport of 'handrail/ag-ui'" };
  if (/^(start|finish)-step$/.test(type))
    return { protocol: 'the protocol of the AI SDK', transport: "createAiSdkTransport of 'handrail/ai-sdk'" };
  if (type === 'start' && typeof event.executionId === 'string')
    return { protocol: 'the protocol of handrail/server', transport: "createHttpTransport of 'handrail'" };
  return undefined;
}
