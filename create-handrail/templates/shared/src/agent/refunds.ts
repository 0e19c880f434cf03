/** Refunds that a customer has confirmed. Stands for your payment service. */
import { getDatabase } from './database.ts';

export interface Refund {
  readonly orderNumber: string;
  readonly amount: number;
}

const TABLE = `
  create table if not exists refunds (
    request_id text primary key,
    order_number text not null,
    amount numeric not null,
    paid boolean not null default false
  )`;

/** Keeps what the customer has confirmed. The same key always means the same request, so a step that is tried again adds nothing. */
export async function requestRefund(
  idempotencyKey: string,
  { orderNumber, amount }: Refund,
): Promise<string> {
  const requestId = `R-${idempotencyKey.slice(0, 12)}`;
  await getDatabase().query(TABLE);
  await getDatabase().query(
    'insert into refunds (request_id, order_number, amount) values ($1, $2, $3) on conflict do nothing',
    [requestId, orderNumber, amount],
  );
  return requestId;
}

/** Pays a request, once. The order and the amount must be those that the customer has confirmed. */
export async function payRefund(requestId: string, { orderNumber, amount }: Refund) {
  await getDatabase().query(TABLE);
  const { rows } = await getDatabase().query(
    'update refunds set paid = true where request_id = $1 and order_number = $2 and amount = $3 returning request_id',
    [requestId, orderNumber, amount],
  );
  if (rows.length === 0) {
    throw new Error(
      `No customer has confirmed request ${requestId} with ${amount} EUR for order ${orderNumber}, so nothing was paid. Call "refund" first.`,
    );
  }
  return { paid: amount, currency: 'EUR' };
}
