import { expect, it } from 'vitest';
import { z } from 'zod';
import { createId } from '../../src/shared/ids.ts';

it('an id is a UUID of version 4, and no two are equal', () => {
  const ids = Array.from({ length: 1000 }, createId);

  for (const id of ids) expect(z.uuidv4().safeParse(id).success).toBe(true);
  expect(new Set(ids).size).toBe(1000);
});
