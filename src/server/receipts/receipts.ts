/** Signs receipts, and checks signatures. `createHmacReceipts` and `createJwtReceipts` make one; a key service can be another. */
export interface Receipts {
  /** Returns a text that carries the claims and a signature. */
  sign(claims: ReceiptClaims): Promise<string>;
  /** Returns the claims of a text that `sign` returned, and `undefined` for any other text. */
  verify(receipt: string): Promise<ReceiptClaims | undefined>;
}

/** The content of a receipt. JSON. */
export type ReceiptClaims = QuestionClaims | AnswerClaims;

/** The receipt of a question: what the server asked. */
export interface QuestionClaims {
  readonly type: 'question';
  readonly sessionId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The digest of the arguments, see `digestArguments`. */
  readonly args: string;
  /** The digest of the `question` of the call: its texts, schemas and severity. */
  readonly question?: string | undefined;
  /** True if the question was whether a call of a server tool may run. */
  readonly isApproval?: true | undefined;
  /** Milliseconds since the epoch, both. */
  readonly askedAt: number;
  readonly deadline?: number | undefined;
}

/** The receipt of an answer: what the server stored of it. */
export interface AnswerClaims {
  readonly type: 'answer';
  /** The digest of the receipt of the question, which is a JSON string. */
  readonly receipt: string;
  readonly outcome: string;
  /** The digest of `{ result, error, reason }`. */
  readonly value: string;
  /** Absent where the app gave no principal, and for a question that expired. */
  readonly answeredBy?: { readonly id: string; readonly name?: string } | undefined;
  /** Milliseconds since the epoch. */
  readonly answeredAt: number;
  /** The digest of what the person saw, as the page sent it. */
  readonly shown?: string | undefined;
  /** The choice that the answer comes from, see `AnswerRecord`. */
  readonly remembered?: object | undefined;
}

/**
 * The `typ` in the header of our tokens (RFC 8725, section 3.11): with it a token that the app signed for another purpose with the same
 * key is no receipt.
 */
export const RECEIPT_TOKEN_TYPE = 'receipt+jwt';
