import { expect, it } from 'vitest';
import { clampToSafe, digestOf, idFrom } from './mod.ts';

it('derives ids that stored documents have', () => {
  expect(digestOf(['a', 1]).toString('base64url')).toBe('E18XpHWmGv3urzdZrS5FrRx6uxkjlavkfkH8jjldwak');
  expect(idFrom(['room.delete', '!r:x', ''])).not.toBe(idFrom(['room.delete', '!r', ':x']));
});

it('clamps what is beyond the safe integers only', () => {
  expect(clampToSafe(2n ** 63n)).toBe(Number.MAX_SAFE_INTEGER);
  expect(clampToSafe(-5n)).toBe(-5);
});
