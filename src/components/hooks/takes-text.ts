const NOT_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;

/**
 * Returns true unless the element certainly takes no text. A frame, the host of a closed shadow root and a canvas with an EditContext do
 * not tell whether the person types in them. An element of a frame has the classes of that frame, so names are compared.
 */
export function mayTakeText(element: Element | null): boolean {
  if (element === null) return false;
  // The body of a frame may be an editor.
  if ((element as HTMLElement).isContentEditable) return true;
  if (element.matches('html, body, button, a, summary')) return false;
  return element.localName !== 'input' || !NOT_TEXT.test((element as HTMLInputElement).type);
}
