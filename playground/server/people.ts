import type { Principal } from 'handrail/server';

const ADA: Principal = { id: 'ada', name: 'Ada', roles: ['customer'] };
const GRACE: Principal = { id: 'grace', name: 'Grace', roles: ['support'] };

const LIN: Principal = { id: 'lin', name: 'Lin', roles: ['support', 'warehouse'] };

/** The person with an id that the page sends. A real server knows people by their login, and never by what a page says. */
export function findPerson(id: string | null): Principal {
  return [GRACE, LIN].find((person) => person.id === id) ?? ADA;
}

/** Returns the person who sent a request. */
export function findSender({ headers }: Request): Principal {
  return findPerson(headers.get('x-playground-user'));
}
