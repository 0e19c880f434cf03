/** handrail in front of the route that useChat talks to. */
import { createPersistence } from 'handrail';
import { createAiSdkTransport, fromUIMessages } from 'handrail/ai-sdk';
import { HandrailPage } from './handrail-page.tsx';
import { readStored, show } from './view.tsx';

const options = {
  id: 'chat-7',
  initialMessages: fromUIMessages(await readStored()),
  transport: createAiSdkTransport({ api: '/api/chat', resume: true }),
  persistence: createPersistence(),
};

show(() => <HandrailPage {...options} />);
