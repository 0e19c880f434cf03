import {
  type AgentChat,
  type AgentChatError,
  type AgentChatState,
  type FileReference,
  isProviderError,
  isRetryableError,
  type UIMessage,
  uiMessageSchema,
} from 'handrail';
import { describe, expectTypeOf, it } from 'vitest';

describe('the types of a chat', () => {
  it('a state is read-only, and its statuses are closed unions', () => {
    expectTypeOf<AgentChatState['messages']>().toEqualTypeOf<readonly UIMessage[]>();
    expectTypeOf<AgentChatState['status']>().toEqualTypeOf<
      'idle' | 'streaming' | 'error' | 'awaiting-input'
    >();
    expectTypeOf<AgentChatState['error']>().toEqualTypeOf<AgentChatError | null>();
    expectTypeOf<AgentChatState['connectionError']>().toEqualTypeOf<Error | undefined>();
  });

  it('uploadFiles returns a list that the caller may change', () => {
    expectTypeOf<AgentChat['uploadFiles']>().returns.resolves.toEqualTypeOf<FileReference[]>();
  });

  it('only a socket transport has connect()', () => {
    expectTypeOf<AgentChat['connect']>().toEqualTypeOf<(() => Promise<void>) | undefined>();
    expectTypeOf<AgentChat['disconnect']>().toEqualTypeOf<(() => void) | undefined>();
  });

  it('a message parsed by uiMessageSchema is a UIMessage', () => {
    expectTypeOf(uiMessageSchema.parse({})).toEqualTypeOf<UIMessage>();
  });

  it('error guards narrow an error, and leave the type of other errors', (error: unknown = undefined) => {
    if (isRetryableError(error)) expectTypeOf(error.retryable).toEqualTypeOf<true>();
    if (isProviderError(error)) expectTypeOf(error.source).toEqualTypeOf<'provider'>();
    const known = error as AgentChatError;
    if (!isProviderError(known)) expectTypeOf(known.message).toBeString();
  });
});
