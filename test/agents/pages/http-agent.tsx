/** A page of an AG-UI agent with the reference client, in which CopilotKit's hooks keep their threads. */
import { HttpAgent, type Interrupt, type Message, type RunAgentParameters } from '@ag-ui/client';
import { useEffect, useReducer } from 'react';
import { readStored, show, View } from './view.tsx';

const agent = new HttpAgent({
  url: '/agent',
  threadId: 'chat-7',
  initialMessages: await readStored<Message>(),
});
const tools = [
  { name: 'locate', description: 'Where the person is', parameters: { type: 'object', properties: {} } },
];
let interrupts: readonly Interrupt[] = [];

/** Runs the agent, and its tools on this page, until it waits for nothing but a person. */
async function run(parameters: RunAgentParameters = {}): Promise<void> {
  interrupts = [];
  await agent.runAgent(
    { tools, context: [{ description: 'page', value: 'orders' }], ...parameters },
    {
      onRunFinishedEvent({ event }) {
        if (event.outcome?.type === 'interrupt') interrupts = event.outcome.interrupts;
      },
    },
  );
  const answered = agent.messages.flatMap((message) => (message.role === 'tool' ? message.toolCallId : []));
  const calls = agent.messages
    .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    .filter(({ id, function: { name } }) => name === 'locate' && !answered.includes(id));
  for (const { id } of calls)
    agent.addMessage({
      id: crypto.randomUUID(),
      role: 'tool',
      toolCallId: id,
      content: JSON.stringify({ place: 'here' }),
    });
  if (calls.length > 0) await run();
}

show(function Page() {
  const [, update] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const { unsubscribe } = agent.subscribe({ onMessagesChanged: update, onRunFinalized: update });
    return unsubscribe;
  }, []);
  const act = (parameters?: RunAgentParameters) => void run(parameters).then(update);
  const texts = agent.messages.filter(
    ({ role, content }) => role === 'user' || (role === 'assistant' && content),
  );
  return (
    <View
      isStill={!agent.isRunning}
      messages={texts.map(({ id, role, content }) => ({ id, role, text: String(content) }))}
      questions={interrupts.map(({ id, message = '' }) => ({
        id,
        text: message,
        allow: () => act({ resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] }),
        decline: (reason: string) =>
          act({ resume: [{ interruptId: id, status: 'resolved', payload: { approved: false, reason } }] }),
      }))}
      send={(text) => {
        agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text });
        act();
      }}
    />
  );
});
