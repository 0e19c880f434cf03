/**
 * What the tests of this folder need of a browser, whichever protocol drives it. Playwright drives Debian's Firefox and WebKit not at all: it
 * wants builds of its own, and its WebDriver BiDi sends commands that no released Firefox knows. Few commands are needed, so each browser has
 * a file that sends them.
 */
import { vi } from 'vitest';

export interface TestBrowser {
  /** The browser keeps pages for the back button, also such that hold a Web Lock. Otherwise it loads them anew. */
  readonly keepsPages: boolean;
  openTab(url: string): Promise<TestTab>;
  close(): Promise<void>;
}

export interface TestTab {
  /** Returns the value of an expression on the page, as JSON has it. Awaits a promise. */
  evaluate<Value = unknown>(expression: string): Promise<Value>;
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Goes back in the history. The page of before may be there later. */
  back(): Promise<void>;
  /** Goes forward in the history. The page may be there later. */
  forward(): Promise<void>;
  /** Presses keys as a person does, on whatever has the focus. */
  press(keys: readonly string[]): Promise<void>;
  /** Brings the tab before the others. */
  show(): Promise<void>;
  close(): Promise<void>;
}

/** Keys of WebDriver ("Keyboard actions") that are no characters. */
export const Key = { enter: '\uE007', tab: '\uE004' } as const;

/** Waits until the expression is truthy on the page. A page that is being left cannot say yet. */
export function until(tab: TestTab, expression: string): Promise<unknown> {
  const look = () => tab.evaluate(`!!(${expression})`).catch(() => false);
  return vi.waitUntil(look, { timeout: 20_000, interval: 50 });
}

/** The actions of WebDriver that press keys one after the other. Classic WebDriver and BiDi have them in one form. */
export function toKeyActions(keys: readonly string[]) {
  const actions = keys.flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);
  return [{ type: 'key', id: 'keyboard', actions }];
}

/** An expression whose value is the text of JSON. The text crosses every protocol as it is. */
export const toJsonExpression = (expression: string) =>
  `(async () => JSON.stringify((await (${expression})) ?? null))()`;
