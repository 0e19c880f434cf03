/** Date and time as this browser's person writes them. */
export function formatDate(date: string | number): string {
  return new Date(date).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
