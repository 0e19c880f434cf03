/** The window of a page that the browser keeps for the back button. For tests that undo their stubs. */
import { vi } from 'vitest';

export function stubPageCache() {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const dispatch = (type: string, persisted: boolean) =>
    page.dispatchEvent(Object.assign(new Event(type), { persisted }));
  return {
    leave: () => dispatch('pagehide', true),
    comeBack: () => dispatch('pageshow', true),
    /** The page is closed, not kept. */
    close: () => dispatch('pagehide', false),
  };
}
