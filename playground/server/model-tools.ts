import type { AiSdkTool } from 'handrail/server';
import { z } from 'zod';

/** Descriptions of the tools of the page and the server for a real model. */
export const modelTools: Readonly<Record<string, AiSdkTool>> = {
  look_up_product: {
    description: 'Find a product of the shop with its price. Runs on the server.',
    inputSchema: z.object({ query: z.string().describe('What the person wants to buy') }),
  },
  confirm_order: {
    description: 'Ask the person to confirm an order. Always ask before placing one.',
    inputSchema: z.object({
      action: z.string().describe('Short title, for example: Order 1 Ceramic mug'),
      description: z.string().describe('One sentence with what will happen'),
      price: z.string(),
    }),
  },
  place_order: {
    description: 'Place an order that was confirmed. Runs on the server.',
    inputSchema: z.object({ product: z.string() }),
  },
  get_browser_location: {
    description: 'Where the person is, as latitude and longitude, from the browser.',
    inputSchema: z.object({}),
  },
  get_local_time: {
    description: 'Date, time and time zone of the person, from the browser.',
    inputSchema: z.object({}),
  },
  copy_to_clipboard: {
    description: "Copy a text to the person's clipboard.",
    inputSchema: z.object({ text: z.string() }),
  },
  request_feedback: {
    description: 'Ask the person to rate an answer from 1 to 5, with an optional comment.',
    inputSchema: z.object({ question: z.string() }),
  },
  choose_option: {
    description: 'Let the person choose one of several options.',
    inputSchema: z.object({
      question: z.string(),
      options: z.array(
        z.object({ value: z.string(), label: z.string(), description: z.string().optional() }),
      ),
    }),
  },
  find_events: {
    description: 'Events of this evening. Runs on the server.',
    inputSchema: z.object({}),
  },
};
