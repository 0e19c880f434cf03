/** Asks the login of the app who sent a request. */
import { invalidOptions } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import { InvalidPrincipal, type Principal } from '../../shared/principal.ts';
import { reportFailure } from '../report-failure.ts';
import { toSender } from '../to-sender.ts';
import { refuse } from './refuse.ts';

/** Returns who sent a request, by your login; undefined or null if nobody is logged in. */
export type GetPrincipal = (
  request: Request,
) => Principal | undefined | null | Promise<Principal | undefined | null>;

/** The `principal` of a route. A function alone means that somebody has to be logged in. */
export type PrincipalOption = GetPrincipal | { readonly optional: true; readonly read: GetPrincipal };

interface Login {
  readonly principal?: PrincipalOption | undefined;
  /** Called with the error of a principal that is none. */
  readonly onError?: ((thrown: unknown) => unknown) | undefined;
}

/**
 * Returns the person who sent a request, undefined where nobody is logged in, or the refusal of a request whose principal is none.
 *
 * @throws what the login throws; AgentChatError `invalid_options` for a login that is none
 */
export async function readPrincipal(
  request: Request,
  { principal, onError }: Login,
): Promise<Principal | undefined | Response> {
  const { principal: sender, refused } = toSender(await toReader(principal)?.(request));
  if (refused === undefined) return sender;
  reportFailure(onError, new InvalidPrincipal(refused.message));
  return refuse(500, refused.message, 'invalid_principal');
}

/** A value that is no login, such as a person, would let everybody in without a name. */
function toReader(principal: PrincipalOption | undefined): GetPrincipal | undefined {
  if (principal === undefined || typeof principal === 'function') return principal;
  return readOptional(principal, 'The principal of a route must be a function of the request');
}

/** @throws AgentChatError `invalid_options` for a value that is not `{ optional: true, read }` */
export function readOptional<Read>(
  principal: { readonly optional: true; readonly read: Read } | null,
  other: string,
): Read {
  if (isRecord(principal) && principal.optional === true && typeof principal.read === 'function')
    return principal.read as Read;
  throw invalidOptions(
    `${other}, or { optional: true, read } with a function. It is ${principal === null ? 'null' : `a value of type ${typeof principal}`}, by which nobody can log in: everybody would be let in without a name.`,
  );
}

/** As {@link readPrincipal}. Where somebody has to be logged in and nobody is, the request is refused. */
export async function requirePrincipal(
  request: Request,
  login: Login,
): Promise<Principal | undefined | Response> {
  const principal = await readPrincipal(request, login);
  const isRequired = typeof login.principal === 'function';
  return principal === undefined && isRequired ? refuse(401, SIGN_IN, 'unauthorized') : principal;
}

/** The error text for a client whose person has to log in. */
export const SIGN_IN =
  'Sign in first: only people who are logged in may use this conversation. Nothing was changed.';
