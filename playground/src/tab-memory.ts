/** Keeps values of a tab over a reload. Where the storage is blocked, browsers throw at the access to it: then a reload begins anew. */

export function recallInTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function rememberInTab(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // The address of the page names the conversation as well.
  }
}
