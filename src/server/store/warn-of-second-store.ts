/** A key that all copies of this module share: bundlers of servers load a module once for each route. */
const COUNT = /* @__PURE__ */ Symbol.for('handrail.memory-stores');

/**
 * Warns in development of a second store in the memory of one process. Next.js loads the module of a store once for each route, and again
 * after each change, so that what one route saved is not in the store of another one: the answer to a question finds no conversation.
 */
export function warnOfSecondStore(): void {
  if (process.env.NODE_ENV !== 'development') return;
  const shared = globalThis as { [COUNT]?: number };
  shared[COUNT] = (shared[COUNT] ?? 0) + 1;
  if (shared[COUNT] !== 2) return;
  console.warn(
    'createMemorySessionStore() was called twice in this process. Conversations that one store has are not in the other one, so an answer may ' +
      'find no question. Keep one for all routes: const store = (globalThis.agentStore ??= createMemorySessionStore()).',
  );
}
