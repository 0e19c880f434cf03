/** Returns true if the subject is one of those that the filter describes: `*` is any token, `>` is one or more at the end. */
export function matchSubject(filter: string, subject: string): boolean {
  const tokens = subject.split('.');
  const pattern = filter.split('.');
  const isOpen = pattern.at(-1) === '>';
  if (isOpen ? tokens.length < pattern.length : tokens.length !== pattern.length) return false;
  return pattern.every((token, index) => token === '>' || token === '*' || token === tokens[index]);
}
