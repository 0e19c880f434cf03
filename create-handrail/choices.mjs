/** What one can choose: which folders make an app. They are copied over each other in the order in which they are named. */

/**
 * @typedef {object} Template
 * @property {string} label
 * @property {readonly string[]} folders
 */

/** @type {Readonly<Record<string, Template>>} */
export const TEMPLATES = {
  'vite-node': {
    label: 'Vite page, Node server',
    folders: ['templates/shared', 'templates/vite', 'templates/vite-node'],
  },
  'hono-websocket': {
    label: 'Hono and a WebSocket, Vite page',
    folders: ['templates/shared', 'templates/vite', 'templates/hono-websocket'],
  },
  next: { label: 'Next.js', folders: ['templates/shared', 'templates/next'] },
};

/**
 * @typedef {object} Backend
 * @property {string} label
 * @property {readonly string[]} folders
 * @property {Readonly<Record<string, readonly string[]>>} [templates]  the templates that it can have, each with further folders; default: all
 * @property {readonly string[]} [leavesOut]  what it does not need of the template
 */

/** Of a page and a server whose conversations are not in the store of handrail. */
const WITHOUT_INBOX = {
  templates: { 'vite-node': ['backends/without-inbox-vite'], next: [] },
  leavesOut: [
    ...['agent', 'scripted-agent', 'session', 'store', 'refunds', 'tools'].map(
      (name) => `src/agent/${name}.ts`,
    ),
    ...['src/page/inbox-page.tsx', 'src/app/inbox'],
  ],
};

/** @type {Readonly<Record<string, Backend>>} */
export const BACKENDS = {
  scripted: { label: 'an agent that plays a script; needs no key', folders: [] },
  'ai-sdk': { label: 'a model of the AI SDK; a script until there is a key', folders: ['backends/ai-sdk'] },
  'ag-ui': {
    label: 'an agent that speaks AG-UI; needs its address',
    ...WITHOUT_INBOX,
    leavesOut: [...WITHOUT_INBOX.leavesOut, 'src/agent/database.ts'],
    folders: ['backends/without-inbox', 'backends/ag-ui'],
  },
  octavus: {
    label: 'an agent of Octavus; needs a key',
    ...WITHOUT_INBOX,
    folders: ['backends/without-inbox', 'backends/octavus'],
  },
  mantyx: {
    label: 'runs of Mantyx; needs a key',
    ...WITHOUT_INBOX,
    leavesOut: [...WITHOUT_INBOX.leavesOut, 'src/agent/database.ts'],
    folders: ['backends/without-inbox', 'backends/mantyx'],
  },
};
