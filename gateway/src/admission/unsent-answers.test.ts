import { noMeters } from '@steward/telemetry';
import { expect, it } from 'vitest';
import type { Caller } from './caller.ts';
import { CallerUsage, CallerUsages, type TrackedRequest } from './caller-usage.ts';
import { Refusals } from './refusals.ts';
import { UnsentAnswers } from './unsent-answers.ts';

const MIB = 1024 * 1024;

const answers = new UnsentAnswers(new CallerUsages(), new Refusals(noMeters));

const ROUTE = '/sync';

/** A request of a caller of whose requests so many work and were answered on its route. */
function request(
  state: Partial<CallerUsage>,
  {
    kind = 'user',
    working = 0,
    answered = 0,
  }: Partial<Pick<Caller, 'kind'> & ReturnType<CallerUsage['on']>> = {},
) {
  const usage = Object.assign(new CallerUsage({ key: 'alice', kind }), { working, ...state });
  Object.assign(usage.on(ROUTE), { working, answered });
  return { usage, route: ROUTE };
}

it('a caller has few answers of a route made at once at first, and more after each', () => {
  expect(answers.hasSpace(request({}, { working: 1 }))).toBe(true);
  expect(answers.hasSpace(request({}, { working: 2 }))).toBe(false);
  expect(answers.hasSpace(request({}, { working: 2, answered: 1 }))).toBe(true);
  expect(answers.hasSpace(request({}, { working: 50, answered: 100 }))).toBe(true);
});

it('an address has one made at first, before the callers of its tokens are known', () => {
  expect(answers.hasSpace(request({}, { kind: 'address' }))).toBe(true);
  expect(answers.hasSpace(request({}, { kind: 'address', working: 1 }))).toBe(false);
});

it('small answers of one route do not tell how large those of another are', () => {
  const { usage } = request({ working: 2 }, { answered: 100 });
  Object.assign(usage.on('/messages'), { working: 2 });
  expect(answers.hasSpace({ usage, route: ROUTE })).toBe(true);
  expect(answers.hasSpace({ usage, route: '/messages' })).toBe(false);
});

it('a caller with large answers has as many made at once as fit', () => {
  const large = { largestAnswerBytes: 5 * MIB };
  const answered = 100;
  expect(answers.hasSpace(request(large, { answered, working: 2 }))).toBe(true);
  expect(answers.hasSpace(request(large, { answered, working: 3 }))).toBe(false);
  expect(answers.hasSpace(request({ ...large, unsentBytes: 10 * MIB }, { answered, working: 1 }))).toBe(
    false,
  );
  expect(answers.hasSpace(request({ ...large, unsentBytes: 15 * MIB }, { answered }))).toBe(false);
  expect(answers.hasSpace(request({ largestAnswerBytes: 20 * MIB }, { answered }))).toBe(true);
});

it('an administrator has any number made at once', () => {
  const known = { kind: 'administrator', working: 90 } as const;
  expect(answers.hasSpace(request({ largestAnswerBytes: 5 * MIB }, known))).toBe(true);
});

it('of a caller that wants more than it reads, each has less time for progress', () => {
  const usages = new CallerUsages();
  const unsent = new UnsentAnswers(usages, new Refusals(noMeters));
  const hurried: unknown[] = [];
  const connections = { hurry: (socket: unknown) => hurried.push(socket) };
  const answer = (usage: CallerUsage, socket: string, bytes: number) => {
    const sent = { usage, route: ROUTE, unsentBytes: 0, isHurried: false, raw: { socket } };
    unsent.begin(sent as unknown as TrackedRequest, Buffer.alloc(bytes));
  };
  const alice = usages.enter({ key: 'user alice', kind: 'user' });
  const bob = usages.enter({ key: 'user bob', kind: 'user' });
  answer(alice, 'of alice', 15 * MIB);
  answer(bob, 'of bob', 15 * MIB);
  unsent.tick(connections);
  expect(hurried).toEqual([]);
  alice.queue.add({} as TrackedRequest);
  unsent.tick(connections);
  unsent.tick(connections);
  expect(hurried).toEqual(['of alice']);
  answer(bob, 'of bob too', 2 * MIB);
  unsent.tick(connections);
  expect(hurried).toEqual(['of alice', 'of bob', 'of bob too']);
});

it('what is known of a caller outlives its requests for some time', () => {
  const usages = new CallerUsages();
  const caller = { key: 'user alice', kind: 'user' } as const;
  const first = usages.enter(caller);
  usages.leave(first);
  expect(usages.enter(caller)).toBe(first);
  usages.tick();
  expect(usages.enter(caller)).toBe(first);
  usages.leave(first);
  usages.leave(first);
  usages.tick();
  expect(usages.enter(caller)).not.toBe(first);
});
