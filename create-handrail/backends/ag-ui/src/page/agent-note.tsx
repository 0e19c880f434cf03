/** Says in the instructions where the agent is. */
export function AgentNote() {
  return (
    <>
      Set <code>AG_UI_URL</code> to the address of an agent that speaks AG-UI, and start the app again.{' '}
      <code>src/agent/handle-request.ts</code> hands it each message.
    </>
  );
}
