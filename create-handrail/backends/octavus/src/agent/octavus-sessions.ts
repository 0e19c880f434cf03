/** Which session of Octavus belongs to which visitor. */
import type { OctavusClient } from '@octavus/server-sdk';
import type { Principal } from 'handrail/server';
import { getDatabase } from './database.ts';

const TABLE =
  'create table if not exists octavus_sessions (visitor text primary key, session_id text not null)';

/** Returns the session of a visitor, a new one for the first message. The person is part of the key, so nobody reaches that of another. */
export async function findSession(
  client: OctavusClient,
  agentId: string,
  { id }: Principal,
  visitorId: string,
): Promise<string> {
  const visitor = JSON.stringify([id, visitorId]);
  const database = getDatabase();
  await database.query(TABLE);
  const read = async () => {
    const { rows } = await database.query<{ session_id: string }>(
      'select session_id from octavus_sessions where visitor = $1',
      [visitor],
    );
    return rows[0]?.session_id;
  };
  const known = await read();
  if (known !== undefined) return known;
  const created = await client.agentSessions.create(agentId);
  await database.query('insert into octavus_sessions values ($1, $2) on conflict do nothing', [
    visitor,
    created,
  ]);
  // Of two first messages at the same time one has won.
  return (await read()) ?? created;
}
