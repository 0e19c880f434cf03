/**
 * Returns true for a key that goes to an input method, such as Enter or Escape while the person composes a Japanese word. Such a key
 * must not send, cancel, pick or move anything.
 *
 * Safari ends the composition before it dispatches the key, so `isComposing` is false there, and the key code is 229.
 */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
