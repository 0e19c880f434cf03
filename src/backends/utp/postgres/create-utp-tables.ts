import type { Database } from './database.ts';

/**
 * The tables of CommonGround v1r4 that a tool service reads and writes, with the columns that it needs. Names, types and unique
 * indexes are those of the card box and of CommonGround's own setup, so that the same statements work on both databases. The
 * advisory lock lets two services start at the same time.
 */
const TABLES = `
do $$
begin
  perform pg_advisory_xact_lock(hashtext('handrail/utp tables'));
  create schema if not exists resource;
  create schema if not exists state;

  if to_regclass('cards') is null then
    create table cards (
      card_id text primary key,
      tenant_id text not null,
      content jsonb,
      tool_calls jsonb,
      tool_call_id text,
      ttl_seconds integer,
      expires_at timestamptz,
      deleted_at timestamptz,
      metadata jsonb,
      created_at timestamptz default now()
    );
    -- The first result of a call wins.
    create unique index uniq_cards_tool_result_call on cards (tenant_id, md5(tool_call_id))
      where tool_call_id is not null and (metadata ->> 'type') = 'tool.result';
  end if;

  if to_regclass('resource.project_agents') is null then
    create table resource.project_agents (
      project_id text not null,
      agent_id text not null,
      worker_target text not null,
      primary key (project_id, agent_id)
    );
  end if;

  if to_regclass('state.agent_inbox') is null then
    create table state.agent_inbox (
      inbox_id text primary key,
      project_id text not null,
      agent_id text not null,
      channel_id text not null,
      message_type text not null,
      correlation_id text,
      agent_turn_id text,
      turn_epoch bigint not null default 0,
      context_headers jsonb not null default '{}',
      payload jsonb not null default '{}',
      status text not null default 'pending',
      created_at timestamptz default now()
    );
    -- A call is reported once.
    create unique index idx_agent_inbox_unique on state.agent_inbox (project_id, message_type, md5(correlation_id));
  end if;

  if to_regclass('state.execution_edges') is null then
    create table state.execution_edges (
      edge_id text primary key,
      project_id text not null,
      channel_id text,
      primitive text not null,
      edge_phase text not null,
      source_agent_id text,
      target_agent_id text,
      target_agent_turn_id text,
      correlation_id text,
      recursion_depth integer not null check (recursion_depth >= 0),
      trace_id text,
      metadata jsonb not null default '{}',
      created_at timestamptz default now()
    );
    create unique index idx_execution_edges_unique
      on state.execution_edges (project_id, md5(correlation_id), primitive, edge_phase);
  end if;
end
$$`;

/**
 * Creates the tables that `createPostgresCards` and `createPostgresL0` need: `cards`, `resource.project_agents`, `state.agent_inbox`
 * and `state.execution_edges`. This is for a database of its own, such as PGlite in a test. A table that exists, as in the
 * database of CommonGround, is left as it is.
 */
export async function createUtpTables(database: Database): Promise<void> {
  await database.query(TABLES, []);
}
