/** A path from the root of the module graph without dots, or undefined when it would leave the graph. */
export function normalise(directory: string, specifier: string): string | undefined {
  const path: string[] = [];
  for (const step of `${directory}${specifier}`.split('/')) {
    if (step === '..') {
      if (path.pop() === undefined) return undefined;
    } else if (step !== '.' && step !== '') {
      path.push(step);
    }
  }
  return path.join('/');
}
