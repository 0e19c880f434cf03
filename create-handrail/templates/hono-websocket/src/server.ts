import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { handleRequest } from './agent/handle-request.ts';
import { servePage } from './serve-page.ts';
import { serveSockets } from './serve-sockets.ts';

const app = new Hono();
app.all('/api/*', ({ req }) => handleRequest(req.raw));

const port = Number(process.env.PORT ?? 3000);
const server = createServer();
const handleApi = getRequestListener(app.fetch);
const handlePage = await servePage(server);
serveSockets(server);

server.on('request', (request, response) => {
  if (request.url?.startsWith('/api/')) void handleApi(request, response);
  else handlePage(request, response);
});
// Only this machine reaches the app while src/agent/people.ts has people for trying it out.
server.listen(port, '127.0.0.1', () => console.log(`The app is at http://localhost:${port}`));
