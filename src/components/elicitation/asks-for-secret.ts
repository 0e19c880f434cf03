/**
 * Whether words ask for a secret. Servers must not, in MCP elicitation (form mode is read by the agent's host, the server
 * and whoever is between); one that does anyway is answered with a warning, so this errs on the side of warning.
 *
 * It goes by words that name a secret wherever they stand (`password`, `API key`, `card number`), and by words with a
 * harmless sense only where the context takes that away: "token" and "secret" as the last word of a phrase ("GitHub
 * token", not "token of appreciation" or "max tokens"), PIN in capitals or with a number, "key" with its kind. It does
 * not read sentences: "we never ask for your password" warns too, for the same words may mean the opposite. English, and
 * "password" in the languages most people are asked in.
 */
const NAMES_A_SECRET: readonly RegExp[] = [
  /\bpass ?(?:word|code|phrase|wd)s?\b|\bpwd\b/,
  /\b(?:pass|kenn)w[oö]rt|mot de passe|contrase[nñ]a|\bsenhas?\b|\bparola d ordine\b|пароль|密码|密碼|パスワード|비밀번호/,
  /\b(?:api|access|secret|private|signing|encryption|decryption|recovery|master|ssh|pgp|gpg|aws|account|consumer|shared) ?keys?\b/,
  /\b(?:access|api|auth|authentication|authorization|bearer|refresh|session|security|csrf|jwt|oauth|bot|device|secret) ?tokens?\b/,
  /\b(?:client|shared|app|application|webhook|signing|consumer|user|account|totp) ?secrets?\b/,
  /\bsecret ?(?:access|value|code|word)\b/,
  /\b(?:seed|recovery|mnemonic|secret|backup) ?phrases?\b/,
  /\b(?:recovery|backup|verification|authentication|authenticator|security|login|sign in|one time|2fa|mfa|sms|otp) ?codes?\b/,
  /\bt?otp\b|\bone time pin\b/,
  /\b(?:pin|puk) (?:code|number)\b/,
  /\b(?:credit|debit|bank|payment|atm) ?card(?:s|holder)?\b|\bcard ?(?:number|no|security|verification)\b|\b(?:cvv|cvc|csc)\b/,
  /\bbank account (?:number|details)\b|\brouting number\b|\bonline banking\b/,
  /\bsocial (?:security|insurance)\b|\bssn\b|\bnational insurance number\b|\bnational id(?:entity|entification)?(?: card)? number\b/,
  /\bsecurity question|\bmaiden name\b/,
  /\b(?:login|log in|sign in|user|account|access|admin|aws|cloud|database|db|api) credentials?\b|^credentials?$/,
  /\b(?:login|log in|sign in|access) details\b/,
];

/** Cards that pay for nothing. */
const HARMLESS_CARD =
  /\b(?:library|loyalty|membership|member|gift|bonus|student|score|post|business) card\b/g;
/** Words before "token" that make it one of a language model, or of a game. */
const LAST_WORD =
  /(?<!\b(?:per|stop|end|next|first|last|each|every|special|padding|a small|as a) )\b(?:token|secret)(?= ?(?:$|[.,:;!?()]| (?:for|from|below|here|to (?:log|sign|connect|access))\b))/;
/** In capitals: people pin messages and maps. */
const PIN = /\bPINs?\b|^pin$/;

/** @param words as a person reads them, or a property's name */
export function asksForSecret(words: string): boolean {
  // Full-width letters and what cannot be seen must not hide a word from this and show it to the person.
  const plain = words.normalize('NFKC').replace(/\p{Cf}/gu, '');
  const text = plain
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[\s_\-/'’]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/(?<=[a-z]{3})\d+\b/g, '')
    .replace(HARMLESS_CARD, '');
  return PIN.test(plain) || LAST_WORD.test(text) || NAMES_A_SECRET.some((name) => name.test(text));
}
