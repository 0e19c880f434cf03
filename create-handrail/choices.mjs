/** What one can choose. Each template and backend is a list of folders, which are copied over each other in this order. */

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
 */

/** @type {Readonly<Record<string, Backend>>} */
export const BACKENDS = {
  scripted: { label: 'an agent that plays a script; needs no key', folders: [] },
  'ai-sdk': { label: 'a model of the AI SDK; a script until there is a key', folders: ['backends/ai-sdk'] },
};
