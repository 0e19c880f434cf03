import { createServer } from 'node:http';
import { toNodeHandler } from 'handrail/server';
import { handleRequest } from './agent/handle-request.ts';
import { servePage } from './serve-page.ts';

const port = Number(process.env.PORT ?? 3000);
const server = createServer();
const handleApi = toNodeHandler(handleRequest, { onError: console.error });
const handlePage = await servePage(server);

server.on('request', (request, response) => {
  if (request.url?.startsWith('/api/')) void handleApi(request, response);
  else handlePage(request, response);
});
// Only this machine reaches the app while src/agent/people.ts has people for trying it out.
server.listen(port, '127.0.0.1', () => console.log(`The app is at http://localhost:${port}`));
