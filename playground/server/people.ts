import type { Principal } from 'handrail/server';

const ADA: Principal = { id: 'ada', name: 'Ada', roles: ['customer'] };
const GRACE: Principal = { id: 'grace', name: 'Grace', roles: ['support'] };

/** The person whom a page names; Ada if it names nobody. A real server knows people by their login, and never by what a page says. */
export function findPerson(id: string | null): Principal {
  return id === GRACE.id ? GRACE : ADA;
}

/** The person who sent a request: the page names the person in a header. */
export function findSender({ headers }: Request): Principal {
  return findPerson(headers.get('x-person'));
}
