import { expect, it } from 'vitest';
import { namesIn } from './names.ts';

it('builds stream and subject names from the namespace, without ids', () => {
  const names = namesIn('steward');
  expect(names.stream).toBe('STEWARD');
  expect(names.factSubject('user.deactivated')).toBe('steward.user.deactivated');
  expect(names.replaySubject('room-leave')).toBe('steward-replay.room-leave');
  expect(names.publicSubject('account.created')).toBe('steward.public.v1.account.created');
  expect(names.deadLetterSubject('room-leave')).toBe('steward-dead.room-leave');
});

it.each(['', 'Steward', 'a.b', 'a*', 'a-b'])('refuses the namespace %j', (namespace) => {
  expect(() => namesIn(namespace)).toThrow(TypeError);
});
