/**
 * Creates the tables that are missing. Records and events are `text`, because `jsonb` refuses NUL and lone surrogates, which a result
 * may contain. A role that may not create tables can use tables that exist: `create table if not exists` would refuse it. The advisory
 * lock lets two processes start at the same time.
 *
 * `asked_at` and `waiting` are set while a session waits for people. A session that an earlier version stored has no `waiting`: then its
 * record is read in place of it.
 *
 * `save_id` names the last save, whose parts are in `handrail_session_parts`; `record` is empty then. A session that an earlier version
 * stored has its whole record in `record`, and no `save_id`.
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
      updated_at timestamptz not null default now(),
      asked_at bigint,
      waiting text,
      save_id text
    );
  end if;

  if not exists (
    select from pg_attribute
    where attrelid = 'handrail_sessions'::regclass and attname = 'waiting' and not attisdropped
  ) then
    alter table handrail_sessions add column asked_at bigint, add column waiting text;
    update handrail_sessions set asked_at = (extract(epoch from updated_at) * 1000)::bigint
    where record like '%"state":"waiting"%';
  end if;

  if not exists (
    select from pg_attribute
    where attrelid = 'handrail_sessions'::regclass and attname = 'save_id' and not attisdropped
  ) then
    alter table handrail_sessions add column save_id text;
  end if;

  if to_regclass('handrail_session_parts') is null then
    create table handrail_session_parts (
      session_id text not null references handrail_sessions on delete cascade,
      name text not null,
      part text not null,
      primary key (session_id, name)
    );
  end if;

  if to_regclass('handrail_sessions_waiting') is null then
    create index handrail_sessions_waiting on handrail_sessions (asked_at, session_id)
    where asked_at is not null;
  end if;

  if to_regclass('handrail_choices') is null then
    create table handrail_choices (
      principal_id text not null,
      tool_name text not null,
      choice text not null,
      primary key (principal_id, tool_name)
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
