import type { Agent } from 'handrail/server';

/** The sessions whose agent works in this process. */
export interface RunList {
  /** Returns an agent that is on the list while it works. */
  watch(agent: Agent): Agent;
  has(session: string): boolean;
}

export function createRunList(): RunList {
  const running = new Set<string>();
  return {
    watch: (agent) =>
      async function* run(context) {
        running.add(context.sessionId);
        try {
          yield* agent(context);
        } finally {
          running.delete(context.sessionId);
        }
      },
    has: (session) => running.has(session),
  };
}
