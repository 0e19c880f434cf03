import type { Principal } from 'handrail/server';

const ADA: Principal = { id: 'ada', name: 'Ada', roles: ['customer'] };
const GRACE: Principal = { id: 'grace', name: 'Grace', roles: ['support'] };

/** The person with an id that the page sends. A real server knows people by their login, and never by what a page says. */
export function findPerson(id: string | null): Principal {
  return id === GRACE.id ? GRACE : ADA;
}
