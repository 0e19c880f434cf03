import type { Principal } from 'handrail/server';

/** Two people to try the app with. */
const PEOPLE: readonly Principal[] = [
  { id: 'ada', name: 'Ada', roles: ['customer'] },
  { id: 'grace', name: 'Grace', roles: ['support'] },
];

/**
 * Returns the person who sent a request, or undefined if nobody is signed in.
 *
 * Here the page says who its person is, so anybody can say "grace". Ask your login instead, such as the cookie of its session, before
 * others can reach the app. Everything else goes by what this function returns.
 */
export function findPerson({ searchParams }: URL): Principal | undefined {
  return PEOPLE.find(({ id }) => id === searchParams.get('person'));
}
