/** A person, as the server knows them from their login. */
export interface Principal {
  /** Stable and unique, such as the key of an account. */
  readonly id: string;
  /** For people to read. */
  readonly name?: string;
  readonly roles?: readonly string[];
}

/** The person who answered a call. */
export type Answerer = Pick<Principal, 'id' | 'name'>;
