/** The scenarios that a person can try with one click. */
import type { BackendInfo } from './use-backends.ts';

export interface Scenario {
  readonly label: string;
  readonly hint: string;
  readonly message: string;
  /** True if the message is about files, which not every backend takes. */
  readonly needsFiles?: boolean;
  /** The id of the only backend that has it. Default: all have it. */
  readonly onlyOn?: string;
}

const SCENARIOS: readonly Scenario[] = [
  { label: 'Order a lamp', hint: 'asks before it buys', message: 'Order a desk lamp, please' },
  {
    label: 'Refund an order',
    hint: 'the support team decides',
    message: 'Refund order 4711',
    onlyOn: 'scripted',
  },
  {
    label: 'Return a lamp',
    hint: 'three people have a say',
    message: 'I want to return my lamp',
    onlyOn: 'scripted',
  },
  { label: 'Where am I?', hint: 'a tool that runs in this browser', message: 'Where am I?' },
  { label: 'Copy a haiku', hint: 'once you allow it', message: 'Copy a haiku to my clipboard' },
  { label: 'Give feedback', hint: 'a form made from a schema', message: 'I want to give feedback' },
  { label: 'Choose delivery', hint: 'one of several options', message: 'Choose a delivery for me' },
  { label: 'Plan my evening', hint: 'server, browser and you in one turn', message: 'Plan my evening' },
  { label: 'Add up my orders', hint: 'code of the agent, in a sandbox', message: 'Add up my orders' },
  {
    label: 'Check a receipt',
    hint: 'a file you attach',
    message: 'Please check my receipt',
    needsFiles: true,
  },
  {
    label: 'Track a parcel',
    hint: 'with a secret of yours',
    message: 'Where is my parcel?',
    onlyOn: 'standard-agents',
  },
  {
    label: 'Search the web',
    hint: 'a tool that the provider runs',
    message: 'Search the web for a quiet train',
    onlyOn: 'standard-agents',
  },
  { label: 'Fail once', hint: 'then try again', message: 'Fail once, please' },
  { label: 'A slow story', hint: 'to stop, or to cut', message: 'Tell me a slow story' },
  { label: 'Just say hello', hint: 'no tools at all', message: 'Hello!' },
];

export function selectScenarios({ id, takesFiles = false }: BackendInfo): readonly Scenario[] {
  return SCENARIOS.filter(
    ({ needsFiles = false, onlyOn = id }) => onlyOn === id && (takesFiles || !needsFiles),
  );
}
