/** handrail on the wire of the AI SDK. */
import { createAiSdkTransport } from 'handrail/ai-sdk';
import type { Candidate } from '../measure/candidate.ts';
import { encodeAiSdk } from '../wires/ai-sdk.ts';
import { isStructured } from '../workloads.ts';
import { openHandrail } from './handrail.tsx';

export const candidate: Candidate = {
  wire: encodeAiSdk,
  cannot: (workload) =>
    workload.socket ? 'has no socket' : isStructured(workload) ? 'has no structured output' : undefined,
  open: (lent) =>
    openHandrail(lent, createAiSdkTransport({ api: 'http://agent.test/chat', fetch: lent.fetch })),
};
