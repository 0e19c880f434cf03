/** Says in the instructions where the agent is. */
export function AgentNote() {
  return (
    <>
      Set <code>OCTAVUS_API_KEY</code> and <code>OCTAVUS_AGENT_ID</code>, and start the app again.{' '}
      <code>src/agent/handle-request.ts</code> hands each message to Octavus.
    </>
  );
}
