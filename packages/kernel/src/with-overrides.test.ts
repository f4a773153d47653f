import { expect, it } from 'vitest';
import { withOverrides } from './with-overrides.ts';

it('replaces members, and reads the getters of others at each access', () => {
  let isUp = false;
  const base = {
    publish: () => 'base',
    get connected() {
      return isUp;
    },
  };
  const replaced = withOverrides(base, { publish: () => 'replaced' });
  isUp = true;
  expect([replaced.publish(), replaced.connected, 'connected' in replaced]).toEqual(['replaced', true, true]);
  expect(base.publish()).toBe('base');
});
