/** Says in the instructions where the agent is. */
export function AgentNote() {
  return (
    <>
      <code>src/agent/scripted-agent.ts</code> is the agent, a script.
    </>
  );
}
