import type { Random } from '@steward/kernel';
import { expect, it } from 'vitest';
import { requestId } from './request-id.ts';

const random: Random = { bytes: (size) => Buffer.alloc(size, 7), below: () => 0 };
const NEW_ID = 'BwcHBwcHBwcHBwcHBwcHBw';

it.each(['a', 'Req_1.2-3', 'x'.repeat(64), NEW_ID])('accepts %s', (id) => {
  expect(requestId(id, random)).toBe(id);
});

it.each([undefined, '', 'a b', 'a\nb', 'é', '<script>', 'x'.repeat(65)])('replaces %j', (id) => {
  expect(requestId(id, random)).toBe(NEW_ID);
});
