/** Builds the playground and the home page's conversation for the site: static files, with the agent in the page. */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { root, sourceAliases } from '../../.scripts/package-entries.mjs';
import { sandboxWorker } from '../../.scripts/sandbox-worker-plugin.ts';

const playground = `${root}playground/`;

/** Puts the agent's server before the playground's own script. */
function serveInPage(): Plugin {
  return {
    name: 'handrail-serve-in-page',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace(
          '<script type="module" src="/src/main.tsx">',
          '<script type="module" src="/in-page/install.ts"></script>\n    $&',
        ),
    },
  };
}

/** Each page has a build of its own, so that the home page does not load what the playground alone needs. */
export default defineConfig(({ mode }) => {
  const name = mode === 'live' ? 'live' : 'playground';
  return {
    root: name === 'live' ? `${playground}live` : playground,
    base: `/${name}/`,
    resolve: { alias: sourceAliases() },
    plugins: [react(), serveInPage(), sandboxWorker()],
    build: {
      outDir: `${root}site-dist/${name}`,
      emptyOutDir: true,
      // The sandbox's engine is one text.
      chunkSizeWarningLimit: 1000,
    },
  };
});
