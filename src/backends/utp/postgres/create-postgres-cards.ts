import { compact, isRecord } from '../../../shared/json.ts';
import type { Card, CardStore } from '../cards.ts';
import type { Database } from './database.ts';

const COLUMNS = 'card_id, content, tool_calls, tool_call_id, ttl_seconds, metadata';

const SELECT_CARD = `
select ${COLUMNS} from cards
where tenant_id = $1 and card_id = $2 and deleted_at is null`;

const INSERT_RESULT = `
insert into cards (tenant_id, card_id, content, tool_calls, tool_call_id, ttl_seconds, expires_at, metadata)
values ($1, $2, $3::jsonb, $4::jsonb, $5, $6::integer, now() + $6::integer * interval '1 second', $7::jsonb)
on conflict do nothing
returning ${COLUMNS}`;

const SELECT_RESULT = `
select ${COLUMNS} from cards
where tenant_id = $1 and md5(tool_call_id) = md5($2) and metadata ->> 'type' = 'tool.result'`;

interface CardRow {
  readonly card_id: string;
  readonly content: unknown;
  readonly tool_calls: unknown;
  readonly tool_call_id: string | null;
  readonly ttl_seconds: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Returns the card store in the table `cards` of the card box. `content` is stored with the class name that the card box expects
 * in `__type__`, and is returned with it. JSON text that PostgreSQL cannot store (NUL and lone surrogates, as of an emoji cut in two)
 * becomes U+FFFD.
 *
 * @param database a `Pool` of `pg`, or PGlite
 */
export function createPostgresCards(database: Database): CardStore {
  return {
    async get(projectId, cardId) {
      const { rows } = await database.query(SELECT_CARD, [projectId, cardId]);
      return rows[0] && toCard(projectId, rows[0] as CardRow);
    },

    async saveResult(card) {
      checkResult(card);
      const inserted = await database.query(INSERT_RESULT, toParameters(card));
      if (inserted.rows[0])
        return { saved: true, card: toCard(card.project_id, inserted.rows[0] as CardRow) };
      // A statement of its own: a card that was saved while the insert ran is not visible to the insert.
      const stored = await database.query(SELECT_RESULT, [card.project_id, card.tool_call_id]);
      if (stored.rows[0] === undefined) {
        throw new Error(
          `The card ${card.card_id} was not saved, because another call already has a card of this id. Give each card a new id.`,
        );
      }
      return { saved: false, card: toCard(card.project_id, stored.rows[0] as CardRow) };
    },
  };
}

function checkResult({ card_id, type, tool_call_id, content }: Card): void {
  // The unique index has only such cards, so only of them the first wins.
  if (type === 'tool.result' && tool_call_id && isRecord(content)) return;
  throw new TypeError(
    `The card ${card_id} was not saved: saveResult takes a tool.result card that has a tool_call_id and whose content is an object, not a ${type} card of call ${tool_call_id}.`,
  );
}

function toParameters(card: Card): unknown[] {
  const { project_id, type, author_id, created_at } = card;
  return [
    project_id,
    card.card_id,
    toJsonText({ __type__: 'ToolResultContent', ...(card.content as object) }),
    card.tool_calls === undefined ? null : toJsonText(card.tool_calls),
    card.tool_call_id,
    card.ttl_seconds ?? null,
    toJsonText({ ...card.metadata, project_id, type, author_id, created_at }),
  ];
}

function toCard(project_id: string, row: CardRow): Card {
  const { project_id: _, type, author_id, created_at, ...metadata } = row.metadata;
  return compact({
    card_id: row.card_id,
    project_id,
    type: String(type),
    content: row.content,
    created_at: String(created_at),
    author_id: String(author_id),
    metadata,
    tool_calls: row.tool_calls ?? undefined,
    tool_call_id: row.tool_call_id ?? undefined,
    ttl_seconds: row.ttl_seconds ?? undefined,
  });
}

/** The escapes of JSON.stringify that jsonb refuses. The last alternative skips any other escape, such as that of a backslash. */
const REFUSED_ESCAPES = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g;

function toJsonText(value: unknown): string {
  return JSON.stringify(value).replace(REFUSED_ESCAPES, (found) => (found.length === 6 ? '\ufffd' : found));
}
