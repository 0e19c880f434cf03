import { MAX_RECURSION_DEPTH } from '../headers.ts';

/**
 * The whole report, as one statement and so one transaction. The checks are those of `publish_tool_result_report`; the first one that
 * fails names the refusal. The inbox row is inserted unless a check failed, and is not inserted if the call has one: two reports at the
 * same time meet in the unique index of the inbox. Headers, channel and epoch of the row are those of the turn that waits.
 */
export const REPORT_STATEMENT = `
with
  report (
    project_id, source_agent_id, target_agent_id, agent_turn_id, turn_epoch, tool_call_id,
    recursion_depth, traceparent, step_id, message_type, payload
  ) as (
    values (
      $1::text, $2::text, $3::text, $4::text, $5::bigint, $6::text,
      $7::integer, $8::text, $9::text, $10::text, $11::jsonb
    )
  ),
  card as (
    select
      cards.metadata ->> 'type' as type,
      coalesce(nullif(cards.tool_call_id, ''), cards.metadata ->> 'tool_call_id') as tool_call_id,
      cards.metadata ->> 'author_id' as author_id,
      cards.metadata ->> 'function_name' as function_name
    from cards, report
    where cards.tenant_id = report.project_id
      and cards.card_id = report.payload ->> 'tool_result_card_id'
      and cards.deleted_at is null
  ),
  turn as (
    select inbox.channel_id, inbox.turn_epoch, inbox.context_headers
    from state.agent_inbox as inbox, report
    where inbox.project_id = report.project_id
      and inbox.agent_id = report.target_agent_id
      and inbox.agent_turn_id = report.agent_turn_id
      and (
        inbox.message_type in ('turn', 'ui_action')
        or (inbox.message_type = 'command_anchor' and inbox.correlation_id = report.tool_call_id)
      )
    order by
      inbox.turn_epoch = report.turn_epoch desc,
      inbox.message_type = 'command_anchor' desc,
      inbox.created_at desc
    limit 1
  ),
  request as (
    select edge.recursion_depth
    from state.execution_edges as edge, report
    where edge.project_id = report.project_id
      and edge.correlation_id = report.tool_call_id
      and edge.edge_phase = 'request'
    order by edge.created_at
    limit 1
  ),
  verdict as (
    select case
      when trim(report.source_agent_id) = '' then 'source missing'
      when report.source_agent_id not like 'sys.%'
        and report.source_agent_id not like 'tool.%'
        and not exists (
          select from resource.project_agents as agent
          where agent.project_id = report.project_id and agent.agent_id = report.source_agent_id
        )
        then 'source unknown'
      when card.type is distinct from 'tool.result' then 'card missing'
      when card.tool_call_id is distinct from report.tool_call_id then 'card of another call'
      when card.author_id is distinct from report.source_agent_id
        and (report.source_agent_id, card.author_id) is distinct from ('sys.agent_worker.watchdog', 'worker.watchdog')
        then 'card of another author'
      when coalesce(card.function_name, '') = '' then 'card without function'
      when turn.turn_epoch is null then 'turn unknown'
      when turn.turn_epoch <> report.turn_epoch then 'epoch differs'
      when report.recursion_depth >= ${MAX_RECURSION_DEPTH} then 'too deep'
      when request.recursion_depth is null then 'request missing'
      when request.recursion_depth <> report.recursion_depth then 'depth differs'
    end as refusal
    from report
      left join card on true
      left join turn on true
      left join request on true
  ),
  accepted as (
    insert into state.agent_inbox (
      inbox_id, project_id, agent_id, channel_id, message_type, correlation_id,
      agent_turn_id, turn_epoch, context_headers, payload
    )
    select
      'inbox_' || replace(gen_random_uuid()::text, '-', ''),
      report.project_id,
      report.target_agent_id,
      turn.channel_id,
      report.message_type,
      report.tool_call_id,
      report.agent_turn_id,
      turn.turn_epoch,
      turn.context_headers || jsonb_strip_nulls(jsonb_build_object(
        'CG-Project-Id', report.project_id,
        'CG-Channel-Id', turn.channel_id,
        'CG-Agent-Id', report.target_agent_id,
        'CG-Turn-Id', report.agent_turn_id,
        'CG-Turn-Epoch', turn.turn_epoch::text,
        'CG-Step-Id', report.step_id,
        'CG-Tool-Call-Id', report.tool_call_id,
        'CG-Recursion-Depth', report.recursion_depth::text,
        'traceparent', report.traceparent
      )),
      report.payload
    from report, turn, verdict
    where verdict.refusal is null
    on conflict do nothing
    returning inbox_id
  ),
  response as (
    insert into state.execution_edges (
      edge_id, project_id, channel_id, primitive, edge_phase, source_agent_id, target_agent_id,
      target_agent_turn_id, correlation_id, recursion_depth, trace_id, metadata
    )
    select
      'edge_' || replace(gen_random_uuid()::text, '-', ''),
      report.project_id,
      turn.channel_id,
      'report',
      'response',
      report.source_agent_id,
      report.target_agent_id,
      report.agent_turn_id,
      report.tool_call_id,
      report.recursion_depth,
      split_part(report.traceparent, '-', 2),
      jsonb_build_object(
        'message_type', report.message_type,
        'inbox_id', accepted.inbox_id,
        'recursion_depth', report.recursion_depth
      )
    from report, turn, accepted
    on conflict do nothing
  )
select
  coalesce(
    verdict.refusal,
    case when not exists (select from accepted) then 'duplicate' end
  ) as refusal,
  (
    select agent.worker_target from resource.project_agents as agent
    where agent.project_id = report.project_id and agent.agent_id = report.target_agent_id
  ) as worker_target
from report, verdict`;
