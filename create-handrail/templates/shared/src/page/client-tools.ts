/** The tools that run in the browser. */
import { defineClientTool } from 'handrail';
import * as z from 'zod';

export const clientTools = {
  copy_to_clipboard: defineClientTool({
    title: 'Copy to the clipboard',
    description: 'Copies a text to the clipboard of the person.',
    input: z.object({ text: z.string().meta({ title: 'Text' }) }),
    approval: 'always',
    confirmLabel: 'Copy',
    async execute({ text }) {
      await navigator.clipboard.writeText(text);
      return { copied: true };
    },
  }),
};
