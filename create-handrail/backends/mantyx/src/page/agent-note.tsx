/** Says in the instructions where the agent is. */
export function AgentNote() {
  return (
    <>
      Set <code>MANTYX_API_KEY</code>, and your workspace in <code>src/workspace.ts</code>, and start the app
      again. <code>src/agent/handle-request.ts</code> says what the agent is.
    </>
  );
}
