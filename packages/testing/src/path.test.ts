import { expect, it } from 'vitest';
import { path } from './path.ts';

it('encodes each id as one segment and does not change the rest', () => {
  expect(path`/users/${'@a/b:test'}/devices/${'ü %'}?limit=1`).toBe(
    '/users/%40a%2Fb%3Atest/devices/%C3%BC%20%25?limit=1',
  );
});
