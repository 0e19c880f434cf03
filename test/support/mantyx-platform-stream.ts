/** The event streams of the stand-in for the Mantyx platform, and the ways to cut them. */
import type { ServerResponse } from 'node:http';
import type { MantyxEvent, MantyxRun } from './mantyx-platform-script.ts';

/** `nested` as in the documents, `flat` as the first-party SDKs read it. */
export type Envelope = 'nested' | 'flat';

export type Cut = 'now' | 'in-frame' | 'clean';

export interface MantyxStreams {
  /** Answers with the events after `seq`, then with new events. Ends after a terminal event. */
  serve(run: MantyxRun, seq: number, response: ServerResponse): void;
  /** Cuts a stream after this many more frames, counted over all streams. */
  cutAfter(frames: number, how: Cut): void;
  /** Cuts the streams of a run at once, or in the middle of the next frame; waits for a reader first. */
  cutRun(run: MantyxRun, how: Cut): Promise<void>;
}

interface Reader {
  break(how: Cut): void;
  /** The next frame is cut in its middle. */
  spoilt: boolean;
}

export function createMantyxStreams(envelope: Envelope, eventLine: boolean): MantyxStreams {
  const readers = new Map<MantyxRun, Set<Reader>>();
  let arrivals: (() => void)[] = [];
  let cuts: { framesLeft: number; readonly how: Cut }[] = [];

  const takeCut = (): Cut | undefined => {
    const due = cuts.find((cut) => cut.framesLeft === 0);
    cuts = cuts.filter((cut) => cut !== due);
    for (const cut of cuts) cut.framesLeft -= 1;
    return due?.how;
  };

  return {
    serve(run, seq, response) {
      let sent = seq;
      let isClosed = false;
      const reader: Reader = {
        spoilt: false,
        break(how) {
          leave();
          // Frames that were written before still arrive.
          if (how === 'clean') response.end();
          else response.write(':\n\n', () => response.destroy());
        },
      };
      const pump = () => {
        for (const event of run.events.slice(sent)) {
          if (isClosed) return;
          const frame = encodeFrame(event, envelope, eventLine);
          const cut = takeCut() ?? (reader.spoilt ? 'in-frame' : undefined);
          if (cut === 'in-frame') {
            leave();
            response.write(frame.slice(0, Math.ceil(frame.length / 2)), () => response.destroy());
            return;
          }
          if (cut !== undefined) return reader.break(cut);
          response.write(frame);
          sent = event.seq;
        }
        if (run.status !== 'running' && !isClosed) reader.break('clean');
      };
      const leave = () => {
        isClosed = true;
        stopListening();
        readers.get(run)?.delete(reader);
      };
      const stopListening = run.onEvent(pump);
      response.once('close', leave);
      // The other side may go away before the write.
      response.on('error', () => {});
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
      response.write(': connected\n\n');
      readers.set(run, (readers.get(run) ?? new Set()).add(reader));
      pump();
      for (const arrive of arrivals.splice(0)) arrive();
    },
    cutAfter(frames, how) {
      cuts = [...cuts, { framesLeft: frames, how }];
    },
    async cutRun(run, how) {
      while ((readers.get(run)?.size ?? 0) === 0) {
        await new Promise<void>((resolve) => {
          arrivals = [...arrivals, resolve];
        });
      }
      for (const reader of [...(readers.get(run) ?? [])]) {
        if (how === 'in-frame') reader.spoilt = true;
        else reader.break(how);
      }
    },
  };
}

function encodeFrame({ seq, type, payload }: MantyxEvent, envelope: Envelope, eventLine: boolean): string {
  const data = envelope === 'nested' ? { seq, type, data: payload } : { seq, ...payload };
  return `id: ${seq}\n${eventLine ? `event: ${type}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
}
