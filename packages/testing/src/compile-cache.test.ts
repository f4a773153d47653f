import { expect, it } from 'vitest';
import { compileCache } from './compile-cache.ts';

it('returns the directory and nothing else', () => {
  expect(compileCache({ NODE_COMPILE_CACHE: '/cache', NODE_OPTIONS: '--inspect' })).toEqual({
    NODE_COMPILE_CACHE: '/cache',
  });
});

it.each([{}, { NODE_COMPILE_CACHE: '' }])('returns nothing for %j', (env) => {
  expect(compileCache(env)).toEqual({});
});
