import type { ErrorEvent } from '../../core/protocol/events.ts';
import { hasOwn, isRecord } from '../../shared/json.ts';
import type { Principal } from '../../shared/principal.ts';
import { readOptional, SIGN_IN } from '../http/read-principal.ts';
import { refusal } from '../session-errors.ts';

type Found = Principal | undefined | null;

/** The person at the other end of a socket. Alone it means that somebody has to be logged in. */
export type SocketPrincipal = Found | { readonly optional: true; readonly read: () => Found };

/** Returns the person at the other end, or, where somebody has to be logged in and nobody is, the refusal of every frame. */
export function readSocketPrincipal(options: { readonly principal?: SocketPrincipal }): {
  readonly principal?: Found;
  readonly refused?: ErrorEvent;
} {
  const { principal } = options;
  if (isRecord(principal) && 'optional' in principal)
    return { principal: readOptional(principal, 'The principal of a socket must be a person')() };
  const isNobody = principal === undefined || principal === null;
  if (isNobody && hasOwn(options, 'principal')) return { refused: refusal('unauthorized', SIGN_IN) };
  return { principal };
}
