/** A page with the hooks of CopilotKit, without its own UI: they call the agent by themselves, with no runtime in between. */
import { HttpAgent, type Message } from '@ag-ui/client';
import { CopilotKitContext, CopilotKitCoreReact, EMPTY_SET } from '@copilotkit/react-core/v2/context';
import {
  useAgent,
  useAgentContext,
  useCopilotKit,
  useFrontendTool,
  useInterrupt,
} from '@copilotkit/react-core/v2/headless';
import { z } from 'zod';
import { readStored, show, View } from './view.tsx';

const agent = new HttpAgent({
  url: '/agent',
  threadId: 'chat-7',
  initialMessages: await readStored<Message>(),
});
type Agents = ConstructorParameters<typeof CopilotKitCoreReact>[0]['agents__unsafe_dev_only'];
// CopilotKit has an older @ag-ui/client of its own, whose types know fewer parts of messages.
const agents = { default: agent } as unknown as NonNullable<Agents>;
const copilotkit = new CopilotKitCoreReact({ agents__unsafe_dev_only: agents });

function Chat() {
  const { agent } = useAgent();
  const { copilotkit } = useCopilotKit();
  useAgentContext({ description: 'page', value: 'orders' });
  useFrontendTool({
    name: 'locate',
    description: 'Where the person is',
    parameters: z.object({}),
    handler: async () => ({ place: 'here' }),
  });
  const question = useInterrupt({
    renderInChat: false,
    render: ({ interrupt, resolve }) => (
      <fieldset>
        <legend>{interrupt?.message}</legend>
        <button type="button" onClick={() => void resolve({ approved: true })}>
          Allow
        </button>
        <button type="button" onClick={() => void resolve({ approved: false, reason: 'too much' })}>
          Decline
        </button>
      </fieldset>
    ),
  });
  const texts = agent.messages.filter(
    ({ role, content }) => role === 'user' || (role === 'assistant' && content),
  );
  return (
    <>
      <View
        isStill={!agent.isRunning}
        messages={texts.map(({ id, role, content }) => ({ id, role, text: String(content) }))}
        questions={[]}
        send={(text) => {
          agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text });
          void copilotkit.runAgent({ agent });
        }}
      />
      {question}
    </>
  );
}

show(function Page() {
  return (
    <CopilotKitContext.Provider value={{ copilotkit, executingToolCallIds: EMPTY_SET }}>
      <Chat />
    </CopilotKitContext.Provider>
  );
});
