/** What stands for a secret. */
export const MASK = '••••••';

/**
 * Names that mean a secret in any spelling: `password`, `apiKey`, `access_token`, `card-number`. Whole words, so that
 * `tokenCount` and `passenger` stay, but for the few that are secret wherever they stand.
 */
const SECRET_NAME =
  /password|passwd|passphrase|passcode|secret|credential|authorization|(^|_)(pwd|pin|otp|cvv|cvc|ssn|cookies?|jwt|bearer|auth|tokens?|api_?key|access_key|private_key|signing_key|card_number|session_id)$/;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .toLowerCase(),
  );
}

/**
 * A JSON value with {@link MASK} in place of everything that has the name of a secret. The same value when there is none.
 *
 * @param isSecret decides by the name of a field; default {@link isSecretName}
 */
export function maskSecrets(value: unknown, isSecret: (name: string) => boolean = isSecretName): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const masked = entries.map(([name, item]): [string, unknown] => [
    name,
    // An empty one hides nothing, and whether one was there is worth knowing.
    !Array.isArray(value) && isSecret(name) && item !== null && item !== ''
      ? MASK
      : maskSecrets(item, isSecret),
  ]);
  if (masked.every(([, item], index) => item === entries[index]?.[1])) return value;
  return Array.isArray(value) ? masked.map(([, item]) => item) : Object.fromEntries(masked);
}
