/// <reference types="vite/client" />
/** Forms of random schemas, filled in with the keys and the mouse of a real browser. */
import { cleanup, render, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import fc from '../support/fast-check.ts';
import '../../src/styles.css';
import { fields } from '../../src/components/form/kinds/fields.tsx';
import {
  asGroup,
  asRows,
  type FormValues,
  groupKey,
  variantKey,
} from '../../src/components/form/kinds/form-values.ts';
import type { FormField } from '../../src/components/form/schema/form-field.ts';
import { readJsonSchema } from '../../src/components/form/schema/read-json-schema.ts';
import { SchemaForm } from '../../src/components/form/schema-form.tsx';
import { englishLabels } from '../../src/components/text/labels.ts';
import { type FormSample, objectSample, sortedJson } from '../support/arbitrary-forms.ts';

/** The element whose id ends with a path in the form. The start of the id differs between forms. */
function find(name: string, inside = ''): HTMLElement {
  const element = document.querySelector<HTMLElement>(`[id$="value${name.replaceAll('.', '-')}"]${inside}`);
  if (element === null) throw new Error(`nothing at ${name}`);
  return element;
}

/** Types text literally. userEvent reads braces and brackets as key names. */
async function type(element: HTMLElement, text: string) {
  const { value } = element as HTMLInputElement | HTMLTextAreaElement;
  // Text that needs an input method is entered as one piece.
  if (/\p{Surrogate}|[\u{10000}-\u{10FFFF}]/u.test(text) || value !== '') await userEvent.fill(element, text);
  else await userEvent.type(element, text.replace(/[{[]/g, '$&$&'));
}

/** Checkboxes and radio buttons are pressed on their labels, which cover them. */
async function press(name: string) {
  const control = find(name);
  const { id } = control;
  if (control instanceof HTMLInputElement && control.type === 'radio' && control.checked) return;
  await click(document.querySelector<HTMLElement>(`label[for="${id}"]`));
}

/** A covered or missing control fails before the test times out. */
async function click(element: HTMLElement | null) {
  if (element === null) throw new Error('nothing to press');
  await userEvent.click(element, { timeout: 30_000 });
}

/** Enters form values into the controls of a field, as a person would. */
async function enter(field: FormField, values: FormValues | undefined, name: string): Promise<void> {
  switch (field.kind) {
    case 'text': {
      if (values === '') return;
      // Dates are picked, because the keyboard order of day, month and year depends on the language.
      const picked = field.format === 'date' || field.format === 'date-time';
      return picked ? userEvent.fill(find(name), String(values)) : type(find(name), String(values));
    }
    case 'number':
      return values === '' ? undefined : type(find(name), String(values));
    case 'json':
      return values === '' ? undefined : type(find(name), JSON.stringify(JSON.parse(String(values))));
    case 'boolean': {
      if (values === '') return;
      await press(name);
      // Checked and unchecked again: an explicit no.
      return values === 'false' ? press(name) : undefined;
    }
    case 'constant':
      return field.required || values === '' ? undefined : press(name);
    case 'choice': {
      if (values === '') return;
      const control = find(name);
      if (control instanceof HTMLSelectElement) return userEvent.selectOptions(control, String(values));
      return press(`${name}-${values}`);
    }
    case 'multi-choice':
      for (const pick of values as readonly string[]) await press(`${name}-${pick}`);
      return;
    case 'group':
      for (const [index, child] of field.fields.entries()) {
        const key = groupKey(index);
        await enter(child.field, asGroup(values)[key], `${name}.${key}`);
      }
      return;
    case 'list':
    case 'record':
      for (const [index, row] of asRows(values).entries()) {
        if (document.querySelector(`[id$="value${`${name}.${index}`.replaceAll('.', '-')}-item"]`) === null) {
          await click(find(name, ' > button'));
        }
        if (field.kind === 'record') await type(find(`${name}.${index}.key`), String(row.key));
        await enter({ ...field.item, required: true }, row.item, `${name}.${index}.item`);
      }
      return;
    case 'scale':
      return values === '' ? undefined : press(`${name}-${values}`);
    case 'fixed':
      return;
    case 'union': {
      const { pick } = asGroup(values);
      if (pick === '') return;
      await enter(chooser(field), pick, `${name}.pick`);
      const variant = field.variants[Number(pick)];
      const key = variantKey(Number(pick));
      if (variant === undefined) throw new Error(`no variant ${pick}`);
      return enter({ ...variant, required: true }, asGroup(values)[key], `${name}.${key}`);
    }
    case 'file':
      throw new Error('no schema of these asks for a file');
    default:
      field satisfies never;
  }
}

function chooser({ label, required }: FormField): FormField {
  return { kind: 'choice', label, required, options: [] };
}

/** Long enough for a search field. Random schemas rarely have so many options. */
const options = Array.from({ length: 40 }, (_, index) => `Option ${index}`);
const longLists: FormSample = {
  schema: {
    type: 'object',
    required: ['one', 'some'],
    properties: {
      one: { type: 'string', enum: options },
      some: { type: 'array', items: { type: 'string', enum: options } },
      none: { type: 'string', enum: options },
    },
  },
  value: { one: 'Option 31', some: ['Option 0', 'Option 39'] },
};

test('any value of any schema, typed into its form, is submitted unchanged', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc
      .asyncProperty(objectSample, async ({ schema, value }) => {
        const onSubmit = vi.fn();
        const { container } = render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
        const field = readJsonSchema(schema, { label: '', required: true });
        await enter(field, fields.create(field, value), '');
        await click(container.querySelector('button[type="submit"]'));
        await waitFor(() => {
          expect(container.querySelector('[data-look="error"]')?.textContent).toBeUndefined();
          expect(onSubmit).toHaveBeenCalledOnce();
        });
        expect(sortedJson(onSubmit.mock.calls[0]?.[0])).toBe(sortedJson(value));
        cleanup();
      })
      .beforeEach(cleanup),
    { numRuns: 12, examples: [[longLists]], interruptAfterTimeLimit: 30_000 },
  );
});

/** Schemas with some parts that forms have no controls for, under unusual names. */
const anySchema = fc.dictionary(
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' ', '__proto__', '\u202e')),
  fc.oneof(
    objectSample.map(({ schema }) => schema),
    fc.jsonValue(),
    fc.constantFrom(
      { type: 'array', prefixItems: [{ type: 'number' }] },
      { not: { type: 'string' } },
      { $ref: '#/nowhere' },
      { type: 'string', title: '' },
    ),
  ),
  { minKeys: 1, maxKeys: 5, noNullPrototype: true },
);

/** Schemas to choose from whose titles have no visible character. */
const namelessShapes = Object.fromEntries(
  [
    { type: 'object', required: [''], properties: { '': { type: 'string' } } },
    { type: 'object', required: ['kind'], properties: { kind: { const: ' ' } } },
    { const: '' },
  ].map((shape, index) => [
    `group ${index}`,
    {
      type: 'object',
      required: ['choice'],
      properties: { choice: { anyOf: [shape, { type: 'boolean' }] } },
    },
  ]),
);

test('every control of every form has a name, and a field without a widget explains its input', {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc
      .property(anySchema, (properties) => {
        const { container } = render(
          <SchemaForm schema={{ type: 'object', properties }} onSubmit={() => undefined} />,
        );
        // Lists and records show the controls of their rows only when rows exist.
        for (const add of container.querySelectorAll<HTMLElement>('.hr-rows + button')) add.click();
        const controls = container.querySelectorAll(
          'input, select, textarea, button, fieldset, [role="group"], [role="radiogroup"]',
        );
        expect(controls.length).toBeGreaterThan(0);
        for (const control of controls) expect(control, control.outerHTML).toHaveAccessibleName();
        for (const part of container.querySelectorAll('[data-kind="json"]')) {
          const editor = part.querySelector('textarea');
          expect(editor).toHaveAccessibleDescription(expect.stringContaining(englishLabels.jsonNote));
        }
      })
      .beforeEach(cleanup),
    { numRuns: 40, examples: [[namelessShapes]], interruptAfterTimeLimit: 30_000 },
  );
});
