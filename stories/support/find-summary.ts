import { screen } from 'storybook/test';

/** Returns the error summary of a form, which has no name, by its first line. */
export async function findSummary(text: string): Promise<HTMLElement> {
  const line = await screen.findByText(text);
  return line.closest<HTMLElement>('[role=group]') ?? line;
}
