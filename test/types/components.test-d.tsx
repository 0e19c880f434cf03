import {
  type ChatStatus,
  createAgentChat,
  createHttpTransport,
  defineClientTool,
  useAgentChatState,
} from 'handrail';
import { ConfirmationDialog, FormDialog, SchemaForm } from 'handrail/components';
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

describe('what a dialog takes', () => {
  it('any call of the chat, whatever its arguments and its result are', () => {
    for (const tool of pendingClientTools.rate ?? []) void (<ConfirmationDialog tool={tool} />);
    for (const tool of pendingClientTools.bare ?? []) void (<FormDialog tool={tool} schema={schema} />);
  });

  it('a call made by hand, without what the engine keeps of its own', () => {
    const settle = () => ({ settled: true }) as const;
    const answers = { submit: settle, cancel: settle, decline: settle };
    const call = { toolCallId: '1', toolName: 'ask', args: {}, requestedAt: new Date(0), ...answers };
    void (<ConfirmationDialog tool={call} />);
    // @ts-expect-error: without `submit` there is no answer
    void (<ConfirmationDialog tool={{ ...call, submit: undefined }} />);
  });
});

describe('what a form hands over', () => {
  it('is what its schema parses to', () => {
    void (
      <SchemaForm
        schema={schema}
        onSubmit={(value, entered) => {
          expectTypeOf(value).toEqualTypeOf<{ guests: number; note?: string | undefined }>();
          expectTypeOf(entered).toBeUnknown();
        }}
      />
    );
  });

  it('is unknown for a schema that is data', () => {
    const submit = (value: unknown) => expectTypeOf(value).toBeUnknown();
    void (<SchemaForm schema={{ type: 'object' }} onSubmit={(value) => void submit(value)} />);
    void (<SchemaForm schema={[{ name: 'note' }]} onSubmit={(value) => void submit(value)} />);
  });

  it('goes to a handler that returns nothing, a promise of nothing, or what is wrong', () => {
    const save = (_value: z.output<typeof schema>): void => {};
    const send = (_value: z.output<typeof schema>): Promise<void> => Promise.resolve();
    void (<SchemaForm schema={schema} onSubmit={save} />);
    void (<SchemaForm schema={schema} onSubmit={send} />);
    void (<SchemaForm schema={schema} onSubmit={() => ({ issues: [{ message: 'Taken' }] })} />);
    // @ts-expect-error: an issue needs words
    void (<SchemaForm schema={schema} onSubmit={() => ({ issues: [{}] })} />);
  });
});

it('a selector says the type of what it selects', () => {
  const Status = () => {
    expectTypeOf(useAgentChatState(({ status }) => status)).toEqualTypeOf<ChatStatus>();
    return null;
  };
  void Status;
});
