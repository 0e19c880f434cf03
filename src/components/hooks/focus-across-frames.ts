/**
 * Focus across shadow roots and frames of the same origin. For the page, a focused field in a frame is the frame. An element of a frame
 * is no instance of the classes of the page.
 */

/** The focused element, also inside shadow roots and frames of the same origin. */
export function readFocused(root: Document = document): Element | null {
  let active = readActiveIn(root);
  for (let inner = findFrameDocument(root); inner !== undefined; inner = findFrameDocument(inner)) {
    active = readActiveIn(inner) ?? active;
  }
  return active;
}

/** The document of the frame that has the focus. Undefined if no frame has it, or if the page may not read the frame. */
export function findFrameDocument(root: Document): Document | undefined {
  const active = readActiveIn(root);
  if (!active?.matches('iframe, frame')) return undefined;
  // `null` for a frame of another origin.
  return (active as HTMLIFrameElement).contentDocument ?? undefined;
}

/** The parent of an element; the host at the top of a shadow tree, the frame at the top of a document. */
export function parentAcrossFrames(node: Element): Element | null {
  if (node.parentElement !== null) return node.parentElement;
  const root = node.getRootNode();
  if ('host' in root) return root.host as Element;
  return node.ownerDocument.defaultView?.frameElement ?? null;
}

function readActiveIn(root: Document): Element | null {
  let active = root.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
