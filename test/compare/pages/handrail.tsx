/** handrail in front of its own server. */
import { createHttpTransport, createPersistence } from 'handrail';
import { HandrailPage } from './handrail-page.tsx';
import { show } from './view.tsx';

const options = {
  id: 'chat-7',
  transport: createHttpTransport({ url: '/api/agent', body: { sessionId: 'chat-7' } }),
  persistence: createPersistence(),
  openOnStart: true,
};

show(() => <HandrailPage {...options} />);
