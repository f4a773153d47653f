import { noMeters } from '@steward/telemetry';
import { expect, it } from 'vitest';
import { Refusals } from './refusals.ts';
import { Share, Shares } from './share.ts';
import { UnsentAnswers } from './unsent-answers.ts';

const MIB = 1024 * 1024;

const answers = new UnsentAnswers(new Shares(), new Refusals(noMeters));

const share = (state: Partial<Share>, kind: 'user' | 'administrator' = 'user') =>
  Object.assign(new Share({ key: 'alice', kind }), state);

it('a caller has few answers made at once at first, and more after each', () => {
  expect(answers.hasSpace(share({ working: 5 }))).toBe(true);
  expect(answers.hasSpace(share({ working: 6 }))).toBe(false);
  expect(answers.hasSpace(share({ working: 6, answered: 1 }))).toBe(true);
  expect(answers.hasSpace(share({ working: 50, answered: 100 }))).toBe(true);
});

it('a caller with large answers has as many made at once as fit', () => {
  const large = { answered: 100, largestAnswerBytes: 5 * MIB };
  expect(answers.hasSpace(share({ ...large, working: 2 }))).toBe(true);
  expect(answers.hasSpace(share({ ...large, working: 3 }))).toBe(false);
  expect(answers.hasSpace(share({ ...large, working: 1, unsentBytes: 10 * MIB }))).toBe(false);
  expect(answers.hasSpace(share({ ...large, unsentBytes: 15 * MIB }))).toBe(false);
  expect(answers.hasSpace(share({ ...large, largestAnswerBytes: 20 * MIB }))).toBe(true);
});

it('an administrator has any number made at once', () => {
  expect(answers.hasSpace(share({ working: 90, largestAnswerBytes: 5 * MIB }, 'administrator'))).toBe(true);
});

it('what is known of a caller outlives its requests for some time', () => {
  const shares = new Shares();
  const caller = { key: 'user alice', kind: 'user' } as const;
  const first = shares.enter(caller);
  shares.leave(first);
  expect(shares.enter(caller)).toBe(first);
  shares.tick();
  expect(shares.enter(caller)).toBe(first);
  shares.leave(first);
  shares.leave(first);
  shares.tick();
  expect(shares.enter(caller)).not.toBe(first);
});
