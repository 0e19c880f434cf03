/** A question with a large text in one place, as a page of its own: `?place=argument&size=100000`. */
import { ClientToolDialogs } from 'handrail/components';
import 'handrail/styles.css';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const { place = 'argument', size = '10' } = Object.fromEntries(new URLSearchParams(location.search));
const text = 'word '.repeat(Number(size) / 5);

/** The arguments of a call that has the text in one place. `floor` is the same text in one element, without a question. */
const PLACES: Readonly<Record<string, object>> = {
  argument: { title: 'Run', text },
  description: { title: 'Run', description: text },
  option: { title: 'Pick', options: [{ value: 1, label: text }, 'Other'] },
  default: { title: 'Fill', fields: [{ name: 'text', label: 'Text', type: 'textarea', defaultValue: text }] },
};

let longestTaskMs = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
}).observe({ type: 'longtask' });

/** A question is measured before it is painted, too. */
const layOut = (element: HTMLElement | null): void => void element?.getBoundingClientRect();

let ask = (): void => {};
function Page() {
  const [isAsked, setAsked] = useState(false);
  ask = () => {
    longestTaskMs = 0;
    setAsked(true);
  };
  if (place === 'floor') return isAsked && <pre ref={layOut}>{text}</pre>;
  const settle = () => ({ settled: true }) as const;
  const tool = {
    ...{ toolCallId: '1', toolName: 'run', args: PLACES[place] ?? {}, requestedAt: new Date(0) },
    ...{ status: 'waiting' as const, submit: settle, cancel: settle, decline: settle, fail: settle },
    ...{ getSavedInput: () => undefined, saveInput: () => {} },
  };
  return <ClientToolDialogs tools={isAsked ? [tool] : []} />;
}
const root = document.body.appendChild(document.createElement('div'));
root.id = 'root';
createRoot(root).render(<Page />);
Object.assign(globalThis, { ask: () => ask(), readLongestTask: () => longestTaskMs });
