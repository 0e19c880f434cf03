/** White space, and characters that nobody sees: of no width, fillers, the blank of Braille. */
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Returns true for a text in which a person can read nothing. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
