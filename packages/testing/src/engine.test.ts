import { expect, it } from 'vitest';
import { requireEngine, requireTool } from './engine.ts';

it('finds an engine at the URL of the environment', () => {
  const env = { MONGODB_URL: 'mongodb://127.0.0.1' };
  expect(requireEngine('mongo', env)).toEqual({ url: 'mongodb://127.0.0.1', title: 'MongoDB' });
});

it('names a missing engine in the title of the skipped tests', () => {
  expect(requireEngine('nats', {})).toEqual({ url: undefined, title: 'NATS (NATS_URL is not set)' });
});

it('treats an empty variable as unset', () => {
  expect(requireEngine('mongo', { MONGODB_URL: '' }).url).toBeUndefined();
});

it('fails for a missing engine that is required', () => {
  const env = { STEWARD_REQUIRE: 'mongo, nats' };
  expect(() => requireEngine('nats', env)).toThrow('STEWARD_REQUIRE asks for NATS, but NATS_URL is not set');
});

it('finds a program, or names the variable to set', () => {
  expect(requireTool('synadm', { SYNADM: '/bin/synadm' })).toEqual({
    command: '/bin/synadm',
    title: 'synadm',
  });
  expect(requireTool('synadm', {})).toEqual({ command: undefined, title: 'synadm (SYNADM is not set)' });
  expect(() => requireTool('synadm', { STEWARD_REQUIRE: 'nats,synadm' })).toThrow('SYNADM is not set');
});
