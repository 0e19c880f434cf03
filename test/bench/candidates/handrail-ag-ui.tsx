/** handrail on the wire of AG-UI. */
import { createAgUiTransport } from 'handrail/ag-ui';
import type { Candidate } from '../measure/candidate.ts';
import { encodeAgUi } from '../wires/ag-ui.ts';
import { isStructured } from '../workloads.ts';
import { openHandrail } from './handrail.tsx';

export const candidate: Candidate = {
  wire: (leg, index) => encodeAgUi(leg, index, false),
  cannot: (workload) =>
    workload.socket ? 'has no socket' : isStructured(workload) ? 'has no structured output' : undefined,
  open: (lent) =>
    openHandrail(lent, createAgUiTransport({ url: 'http://agent.test/run', fetch: lent.fetch })),
};
