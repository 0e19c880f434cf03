/** Finds questions that ask for a secret: servers of the Model Context Protocol must not. */
import { splitCamelCase } from './secrets.ts';

/** Words that name a secret wherever they stand in a sentence. */
const SECRET_WORDS = new RegExp(
  [
    'pass ?(?:word|code|phrase|wd)s?|pwd',
    '(?:api|access|secret|private|signing|encryption|decryption|recovery|master|ssh|pgp|gpg|aws|account|consumer|shared) ?keys?',
    '(?:access|api|auth|authentication|authorization|bearer|refresh|session|security|csrf|jwt|oauth|bot|device|secret) ?tokens?',
    '(?:client|shared|app|application|webhook|signing|consumer|user|account|totp) ?secrets?',
    'secret ?(?:access|value|code|word)',
    '(?:seed|recovery|mnemonic|secret|backup) ?phrases?',
    '(?:recovery|backup|verification|authentication|authenticator|security|login|sign in|one time|2fa|mfa|sms|otp) ?codes?',
    't?otp|one time pin|(?:pin|puk) (?:code|number)',
    '(?:credit|debit|bank|payment|atm) ?card(?:s|holder)?|card ?(?:number|no|security|verification)|cvv|cvc|csc',
    'bank account (?:number|details)|routing number|online banking',
    'social (?:security|insurance)|ssn|national insurance number|national id(?:entity|entification)?(?: card)? number',
    'security questions?|maiden name',
    '(?:login|log in|sign in|user|account|access|admin|aws|cloud|database|db|api) credentials?',
    '(?:login|log in|sign in|access) details',
  ]
    .map((words) => `\\b(?:${words})\\b`)
    .join('|')
    .concat('|^credentials?$'),
);
/** "token" and "secret" at the end of a phrase: "GitHub token", not "max tokens", "stop token" or "secret ingredient". */
const SECRET_LAST_WORD =
  /(?<!\b(?:per|stop|end|next|first|last|each|every|special|padding|a small|as a) )\b(?:token|secret)(?= ?(?:$|[.,:;!?()]| (?:for|from|below|here|to (?:log|sign|connect|access))\b))/;
/** In capitals: people pin messages and maps. */
const PIN = /\bPINs?\b|^pin$/;
/** Cards that pay for nothing. */
const HARMLESS_CARD =
  /\b(?:library|loyalty|membership|member|gift|bonus|student|score|post|business) card\b/g;

/**
 * Returns true for an English text, or a property's name, that asks for a secret. It goes by words, not by sentences, and
 * prefers a needless warning: "we never ask for your password" counts too.
 */
export function asksForSecret(text: string): boolean {
  // Full-width letters and invisible characters look like the word to a person, but not to a regular expression.
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  const words = splitCamelCase(plain)
    .replace(/[\s_\-/'’]+/g, ' ')
    .trim()
    .replace(/(?<=[a-z]{3})\d+\b/g, '')
    .replace(HARMLESS_CARD, '');
  return PIN.test(plain) || SECRET_LAST_WORD.test(words) || SECRET_WORDS.test(words);
}
