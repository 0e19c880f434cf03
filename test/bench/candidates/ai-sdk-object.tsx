/** AI SDK has a hook of its own for structured output, which is no message there. */
import { experimental_useObject as useObject } from '@ai-sdk/react';
import { z } from 'zod';
import type { Chat, Lent } from '../measure/candidate.ts';
import { createView, mount } from '../measure/view.tsx';

interface Part {
  readonly type: 'object';
  readonly object: unknown;
}

export async function openObject({ fetch, counts }: Lent): Promise<Chat> {
  const Messages = createView<Part>(counts, ({ type }) => type);
  let hook: ReturnType<typeof useObject> | undefined;
  let object: unknown;
  let done = () => {};
  function App() {
    const current = useObject({
      api: 'http://agent.test/object',
      schema: z.object({ items: z.array(z.unknown()) }),
      fetch,
      onError(error) {
        throw error;
      },
      onFinish(event) {
        object = event.object;
        done();
      },
    });
    hook = current as unknown as typeof hook;
    return <Messages messages={[{ id: 'object', parts: [{ type: 'object', object: current.object }] }]} />;
  }
  const close = mount(<App />);
  return {
    async send() {
      const finished = new Promise<void>((resolve) => {
        done = resolve;
      });
      hook?.submit('Go');
      await finished;
    },
    received: () => ({ text: JSON.stringify(object).length, tools: 0 }),
    close,
  };
}
