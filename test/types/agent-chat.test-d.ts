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
  it('a state is read-only, and its words are closed lists', () => {
    expectTypeOf<AgentChatState['messages']>().toEqualTypeOf<readonly UIMessage[]>();
    expectTypeOf<AgentChatState['status']>().toEqualTypeOf<
      'idle' | 'streaming' | 'error' | 'awaiting-input'
    >();
    expectTypeOf<AgentChatState['error']>().toEqualTypeOf<AgentChatError | null>();
    expectTypeOf<AgentChatState['connectionError']>().toEqualTypeOf<Error | undefined>();
  });

  it('uploaded files are the caller’s own list', () => {
    expectTypeOf<AgentChat['uploadFiles']>().returns.resolves.toEqualTypeOf<FileReference[]>();
  });

  it('only a socket connects', () => {
    expectTypeOf<AgentChat['connect']>().toEqualTypeOf<(() => Promise<void>) | undefined>();
    expectTypeOf<AgentChat['disconnect']>().toEqualTypeOf<(() => void) | undefined>();
  });

  it('a parsed message is a message', () => {
    expectTypeOf(uiMessageSchema.parse({})).toEqualTypeOf<UIMessage>();
  });

  it('guards narrow, and leave an error they say no to what it is', (error: unknown = undefined) => {
    if (isRetryableError(error)) expectTypeOf(error.retryable).toEqualTypeOf<true>();
    if (isProviderError(error)) expectTypeOf(error.source).toEqualTypeOf<'provider'>();
    const known = error as AgentChatError;
    if (!isProviderError(known)) expectTypeOf(known.message).toBeString();
  });
});
