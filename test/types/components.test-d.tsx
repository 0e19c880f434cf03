import {
  type ChatStatus,
  createAgentChat,
  createHttpTransport,
  defineClientTool,
  type InteractiveTool,
  useAgentChatState,
} from 'handrail';
import { ClientToolDialogs, ConfirmationDialog, FormDialog, SchemaForm } from 'handrail/components';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';

const chat = createAgentChat({
  transport: createHttpTransport({ url: '/api/agent' }),
  clientTools: {
    rate: defineClientTool({
      input: z.object({ question: z.string() }),
      output: z.object({ rating: z.number() }),
      interactive: true,
    }),
    bare: 'interactive',
  },
});
const { pendingClientTools } = chat.getState();
const schema = z.object({ guests: z.string().transform(Number), note: z.string().optional() });

describe('calls for a dialog', () => {
  it('a dialog accepts any call of the chat', () => {
    for (const tool of pendingClientTools.rate ?? []) void (<ConfirmationDialog tool={tool} />);
    for (const tool of pendingClientTools.bare ?? []) void (<FormDialog tool={tool} schema={schema} />);
  });

  it('onError of ClientToolDialogs gets the error and the call', () => {
    const onError = (_error: unknown, _tool: InteractiveTool) => {};
    void (<ClientToolDialogs onError={onError} />);
  });
});

describe('the result of a form', () => {
  it('the result of a form has the output type of its schema', () => {
    void (
      <SchemaForm
        schema={schema}
        onSubmit={(value) => {
          expectTypeOf(value).toEqualTypeOf<{ guests: number; note?: string | undefined }>();
        }}
      />
    );
  });

  it('the result of a form is unknown for a JSON Schema', () => {
    const submit = (value: unknown) => expectTypeOf(value).toBeUnknown();
    void (<SchemaForm schema={{ type: 'object' }} onSubmit={(value) => void submit(value)} />);
    void (<SchemaForm schema={[{ name: 'note' }]} onSubmit={(value) => void submit(value)} />);
  });

  it('onSubmit of a form returns void, a promise of void, or issues', () => {
    const save = (_value: z.output<typeof schema>): void => {};
    const send = (_value: z.output<typeof schema>): Promise<void> => Promise.resolve();
    void (<SchemaForm schema={schema} onSubmit={save} />);
    void (<SchemaForm schema={schema} onSubmit={send} />);
    void (<SchemaForm schema={schema} onSubmit={() => ({ issues: [{ message: 'Taken' }] })} />);
    // @ts-expect-error: an issue needs a message
    void (<SchemaForm schema={schema} onSubmit={() => ({ issues: [{}] })} />);
  });
});

it('useAgentChatState has the return type of its selector', () => {
  const Status = () => {
    expectTypeOf(useAgentChatState(({ status }) => status)).toEqualTypeOf<ChatStatus>();
    return null;
  };
  void Status;
});
