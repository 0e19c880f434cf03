export function AgentNote() {
  return (
    <>
      <code>src/agent/agent.ts</code> is the agent: a model of the AI SDK once <code>OPENAI_API_KEY</code> is
      set, a script until then.
    </>
  );
}
