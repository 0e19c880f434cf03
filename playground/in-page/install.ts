/** Loaded before the playground where no server is behind it: requests to `/api` are answered in this tab. */
import { createPageServer } from './create-page-server.ts';

const serve = createPageServer();
const fetchFromNetwork = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  return new URL(request.url).pathname.startsWith('/api/') ? serve(request) : fetchFromNetwork(input, init);
};

// The sessions are gone with the page that had them, so a kept conversation has nobody to go on with.
sessionStorage.clear();
history.replaceState(null, '', location.pathname);
