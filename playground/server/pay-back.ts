export interface Refund {
  readonly orderNumber: string;
  readonly amount: number;
  readonly reason: string;
}

/** Stands for the request to a payment service, which pays once for each key. Each request is a line in the log. */
export async function payBack(idempotencyKey: string, { orderNumber, amount, reason }: Refund) {
  console.log(`Pays back ${amount} EUR for order ${orderNumber} (${reason}), key ${idempotencyKey}`);
  return { paid: amount, currency: 'EUR' };
}
