import { z } from 'zod';
import type { StoryToolOptions } from './story-tool.ts';

/** Example calls of an agent, one of each kind of question. */
export const exampleCalls = {
  'Place order': {
    toolName: 'confirm-order',
    args: {
      action: 'Place order',
      description: 'Two flat whites and a cinnamon bun from Kaffeehaus Nord.',
      total: '€ 11.40',
      pickup: 'Today, 14:30',
    },
  },
  'Send email': {
    toolName: 'send-email',
    args: { to: 'team@example.com', subject: 'Release moved to Thursday', copies: 42 },
    definition: {
      title: 'Send email to the whole team',
      description: 'It is sent from your address.',
      severity: 'caution',
    },
  },
  'Delete project': {
    toolName: 'delete-project',
    args: { project: 'atlas-website', files: 1284, backups: false },
    definition: {
      title: 'Delete project atlas-website',
      description: 'All files and their history are removed for everyone.',
      severity: 'destructive',
      confirmWord: 'atlas-website',
    },
  },
  'Book a table': {
    toolName: 'book-table',
    args: { guests: 2, time: '19:00' },
    definition: {
      title: 'Book a table',
      editable: true,
      input: z.object({ guests: z.number().int().min(1), time: z.string() }),
    },
  },
  'Collect contact': {
    toolName: 'collect-contact',
    args: {
      title: 'Your contact details',
      description: 'So that we can send you the tickets.',
      fields: [
        { name: 'name', label: 'Full name', type: 'text', required: true },
        { name: 'email', label: 'Email', type: 'email', required: true, placeholder: 'name@example.com' },
        { name: 'seats', label: 'Seats', type: 'number', min: 1, max: 8, required: true },
        { name: 'notes', label: 'Notes', type: 'textarea' },
      ],
    },
  },
  'Rate the answer': {
    toolName: 'request-feedback',
    args: { question: 'How helpful was the answer about your invoice?' },
    definition: {
      title: 'Rate this answer',
      output: z.object({
        rating: z.number().int().min(1).max(5).meta({ title: 'Rating', description: 'From 1 (poor) to 5' }),
        comment: z.string().max(500).optional().meta({ title: 'Comment' }),
      }),
    },
  },
  'Pick a flight': {
    toolName: 'select-flight',
    args: {
      title: 'Pick a flight',
      question: 'These three fit your calendar.',
      options: [
        { value: 'os201', label: '07:05, direct', description: 'Austrian OS 201, arrives 08:25' },
        { value: 'lh1239', label: '09:40, one stop', description: 'Lufthansa LH 1239, arrives 13:10' },
        { value: 'os205', label: '17:20, direct', description: 'Austrian OS 205, arrives 18:40' },
      ],
    },
  },
  'Pick reports': {
    toolName: 'select-reports',
    args: {
      title: 'Prepare reports',
      options: ['Sales', 'Costs', 'Forecast', 'Staff'],
      multiple: true,
    },
  },
  'Pick a city': {
    toolName: 'select-city',
    args: {
      title: 'Pick a city',
      options: [
        ...['Amsterdam', 'Athens', 'Barcelona', 'Berlin', 'Bratislava', 'Brussels', 'Bucharest', 'Budapest'],
        ...['Copenhagen', 'Dublin', 'Graz', 'Hamburg', 'Helsinki', 'Lisbon', 'Ljubljana', 'London', 'Madrid'],
        ...[
          'Milan',
          'Munich',
          'Oslo',
          'Paris',
          'Prague',
          'Rome',
          'Salzburg',
          'Stockholm',
          'Vienna',
          'Zurich',
        ],
      ],
    },
  },
} satisfies Record<string, StoryToolOptions>;

export type ExampleCall = keyof typeof exampleCalls;
