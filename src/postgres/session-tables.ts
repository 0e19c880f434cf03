/**
 * Creates the tables that are missing. Records and events are `text`, because `jsonb` refuses NUL and lone surrogates, which a result
 * may contain. A role that may not create tables can use tables that exist: `create table if not exists` would refuse it. The advisory
 * lock lets two processes start at the same time.
 */
export const SESSION_TABLES = `
do $$
begin
  perform pg_advisory_xact_lock(hashtext('handrail/session tables'));

  if to_regclass('handrail_sessions') is null then
    create table handrail_sessions (
      session_id text primary key,
      revision bigint not null,
      record text not null,
      updated_at timestamptz not null default now()
    );
  end if;

  if to_regclass('handrail_session_events') is null then
    create table handrail_session_events (
      session_id text not null references handrail_sessions on delete cascade,
      execution_id text not null,
      seq bigint not null,
      event text not null,
      primary key (session_id, execution_id, seq)
    );
  end if;
end
$$`;
