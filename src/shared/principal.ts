import { hasOwn, isRecord } from './json.ts';

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

/** Thrown for a principal by which nobody can be told from others. Its message shows no value: a principal may hold a token. */
export class InvalidPrincipal extends TypeError {
  override readonly name = 'InvalidPrincipal';
}

/**
 * Returns the `id`, `name` and `roles` of what a login knows of a person. Whatever else the login has, such as a token, goes into no rule,
 * record or event.
 *
 * @throws InvalidPrincipal without a non-empty `id`, because all people without one would be the same person, and for `roles` that are no
 * list of strings, because a rule would take them for none.
 */
export function toPrincipal(value: unknown): Principal {
  if (!isRecord(value)) {
    throw new InvalidPrincipal(
      `The principal must be an object such as { id: user.id }, not a value of type ${typeof value}. Nothing was changed. Return { id, name?, roles? } from your login, and undefined if nobody is logged in.`,
    );
  }
  const { id, name, roles } = value;
  if (typeof id !== 'string' || id === '') {
    const given = hasOwn(value, 'id')
      ? `an id ${id === '' ? 'that is empty' : `of type ${typeof id}`}`
      : 'no id';
    throw new InvalidPrincipal(
      `The principal has ${given}, so this person cannot be told from others. Nothing was changed. Give it the key of the account as a non-empty string: { id: String(user.id) }.`,
    );
  }
  if (roles !== undefined && roles !== null && !isListOfStrings(roles)) {
    throw new InvalidPrincipal(
      `The roles of the principal must be a list of strings, not a value of type ${Array.isArray(roles) ? 'list with other values' : typeof roles}. Nothing was changed. Give roles: ['support'], or leave them out.`,
    );
  }
  return { id, ...(typeof name === 'string' && { name }), ...(roles ? { roles: [...roles] } : {}) };
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
