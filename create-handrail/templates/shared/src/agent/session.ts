import { createAgentSession } from 'handrail/server';
import { agent } from './agent.ts';
import { getStore } from './store.ts';
import { tools } from './tools.ts';

/** A conversation. Anything that must hold for all of them, such as who may open one, is said here. */
export function openSession(id: string) {
  return createAgentSession({
    id,
    agent,
    tools,
    store: getStore(),
    // A conversation belongs to whoever starts it. Who only may answer a question of it opens that question alone.
    mayOpen: ({ id }, { participants }) => participants.some((person) => person.id === id),
    // The page describes its tools to the agent, and these it may see.
    clientTools: ['copy_to_clipboard'],
    onError: (thrown, { source }) => console.error(`The ${source} failed:`, thrown),
  });
}
