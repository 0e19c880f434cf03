/** The playground's chat as a page of its own, and what the browser says about how smooth it was. */
import { createHttpTransport } from 'handrail';
import 'handrail/styles.css';
import { createRoot } from 'react-dom/client';
import { Chat } from '../../../playground/src/chat.tsx';
import type { BackendInfo } from '../../../playground/src/use-backends.ts';
import '../../../playground/src/styles/page.css';

/** Read by `measure-browser.mjs` when the answer is complete. */
export interface Smoothness {
  longTasks: number;
  longTaskMs: number;
  slowFrames: number;
  worstFrameMs: number;
  /** Duration of each event of the keyboard, from the key to the next paint. Those under 16 ms are not reported. */
  interactions: number[];
}

/** Somebody sees a frame that takes longer. */
const SLOW_FRAME_MS = 50;

const smoothness: Smoothness = {
  longTasks: 0,
  longTaskMs: 0,
  slowFrames: 0,
  worstFrameMs: 0,
  interactions: [],
};
Object.assign(globalThis, { smoothness });

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) {
    smoothness.longTasks += 1;
    smoothness.longTaskMs += duration;
  }
}).observe({ type: 'longtask' });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if ((entry as unknown as { interactionId: number }).interactionId > 0)
      smoothness.interactions.push(entry.duration);
  }
}).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);

let last = performance.now();
requestAnimationFrame(function onFrame(now) {
  const took = now - last;
  last = now;
  // Frames before the first message belong to loading the page.
  if (document.querySelector('[data-role="user"]') !== null) {
    if (took > SLOW_FRAME_MS) smoothness.slowFrames += 1;
    smoothness.worstFrameMs = Math.max(smoothness.worstFrameMs, took);
  }
  requestAnimationFrame(onFrame);
});

const transport = createHttpTransport({
  request: (_, { signal }) => fetch(`/stream${location.search}`, { method: 'POST', signal: signal ?? null }),
});
const backend: BackendInfo = {
  id: 'recording',
  label: 'Recording',
  description: 'A recorded answer.',
  carriers: ['sse'],
};
const container = document.body.appendChild(document.createElement('div'));
container.id = 'root';
createRoot(container).render(
  <Chat id={location.search} transport={transport} questions="dialog" backend={backend} user="ada" />,
);
