/** Writes a size in decimal units, as most file managers do. For English labels only. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 10 && unit > 0 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${units[unit]}`;
}
