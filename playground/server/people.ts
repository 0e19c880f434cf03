import type { Principal } from 'handrail/server';

/** The people of the playground. An app knows its people from their login. */
const PEOPLE: Readonly<Record<string, Principal>> = {
  ada: { id: 'ada', name: 'Ada', roles: ['support'] },
  grace: { id: 'grace', name: 'Grace', roles: ['support'] },
};

const ADA = PEOPLE.ada as Principal;

/** Returns the person that a page names. Everybody else is Ada. */
export function findPerson(id: string | null): Principal {
  return PEOPLE[id ?? ''] ?? ADA;
}

/** Returns the person who sent a request: the page names the person in a header, or in the address of a socket. */
export function findSender({ headers }: Request): Principal {
  return findPerson(headers.get('x-person'));
}
