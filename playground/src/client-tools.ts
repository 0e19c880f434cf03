/** The tools of this page. */
import { type ClientTools, defineClientTool } from 'handrail';
import { createEnvTool } from 'handrail/standard-agents';
import { z } from 'zod';
import { runCode } from './run-code.ts';
import type { BackendInfo } from './use-backends.ts';

const getBrowserLocation = defineClientTool({
  description: 'Where this browser is',
  output: z.object({ latitude: z.number(), longitude: z.number(), accuracy: z.number() }),
  timeoutMs: 30_000,
  async execute() {
    if (!('geolocation' in navigator)) throw new Error('This browser cannot tell where it is.');
    const { coords } = await new Promise<GeolocationPosition>((resolve, reject) => {
      navigator.geolocation.getCurrentPosition(resolve, reject);
    });
    return { latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy };
  },
});

const getLocalTime = defineClientTool({
  description: 'Time and time zone of this browser',
  output: z.object({ time: z.string(), timeZone: z.string() }),
  idempotent: true,
  execute: () => ({
    time: new Date().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }),
});

const copyToClipboard = defineClientTool({
  title: 'Copy to the clipboard',
  description: 'What is there now is replaced.',
  input: z.object({ text: z.string().max(100_000) }),
  approval: 'always',
  remember: true,
  async execute({ text }) {
    // Absent on pages that came over plain http.
    if (navigator.clipboard === undefined) throw new Error('This page may not use the clipboard.');
    await navigator.clipboard.writeText(text);
    return { copied: true };
  },
});

const requestFeedback = defineClientTool({
  title: 'Your feedback',
  description: 'Asks for a rating',
  input: z.object({ question: z.string() }),
  output: z.object({
    rating: z.number().int().min(1).max(5).meta({ title: 'Rating', description: '1 is poor, 5 is great' }),
    comment: z.string().max(500).optional().meta({ title: 'Comment' }),
  }),
  interactive: true,
  timeoutMs: 10 * 60_000,
});

export const clientTools = {
  get_browser_location: getBrowserLocation,
  get_local_time: getLocalTime,
  copy_to_clipboard: copyToClipboard,
  request_feedback: requestFeedback,
  confirm_order: 'interactive',
  choose_option: 'interactive',
  run_code: runCode,
} as const;

/** Only the transport of Standard Agents can put a secret where no model reads it. */
const standardAgentsTools = {
  set_parcel_token: createEnvTool({
    name: 'PARCEL_TOKEN',
    title: 'Token of the carrier',
    description: 'Goes to the server. The model does not see it. Any text will do here.',
    label: 'Token',
  }),
} as const;

/** Selects the tools for a backend, without those about which it asks by itself: its own questions need no declaration. */
export function selectClientTools({ id, asksAbout = [] }: BackendInfo): ClientTools {
  const tools = id === 'standard-agents' ? { ...clientTools, ...standardAgentsTools } : clientTools;
  return Object.fromEntries(Object.entries(tools).filter(([name]) => !asksAbout.includes(name)));
}
