import { postToProject, type UtpManagement } from '../management.ts';

/** A turn of an agent. */
export interface AgentTurn {
  readonly project: string;
  readonly channel: string;
  readonly agent: string;
  readonly turnId: string;
}

/**
 * Stops a turn of an agent: `POST /projects/{project}/god/stop` of the management API (CommonGround v1r4). CommonGround has the route with
 * `CG_ENABLE_GOD_API` alone.
 *
 * @throws AgentChatError as `postToProject` does
 */
export async function stopAgent(
  management: UtpManagement,
  { project, channel, agent, turnId }: AgentTurn,
): Promise<void> {
  const failed = `The agent ${agent} was not stopped and goes on with its turn ${turnId}`;
  const reason = 'A person has stopped the turn.';
  await postToProject(
    management,
    { project, route: 'god/stop', failed },
    {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ agent_id: agent, agent_turn_id: turnId, channel_id: channel, reason }),
    },
  );
}
