import { toRefusal } from '@steward/errors';
import { noMeters } from '@steward/telemetry';
import { describe, expect, it } from 'vitest';
import type { Caller } from './caller.ts';
import { CallerUsage, type TrackedRequest } from './caller-usage.ts';
import { FairScheduler } from './fair-scheduler.ts';
import { Refusals } from './refusals.ts';

/** Callers whose requests are recorded when they start. */
function create() {
  let now = 0;
  let hasSpace = true;
  const order: string[] = [];
  const start = new FairScheduler(
    { requests: 50, reserved: 5, ofCaller: () => 40, hasSpace: () => hasSpace, now: () => now },
    new Refusals(noMeters),
  );
  const usage = (key: string, kind: Caller['kind'] = 'user') => new CallerUsage({ key, kind });
  const enter = (of: CallerUsage, longPoll = false) => {
    const request = {
      usage: of,
      longPoll,
      streamsBody: false,
      secondsQueued: 0,
      secondsStarted: 0,
      works: false,
    } as TrackedRequest;
    start.enter(request, (refusal) => {
      order.push(refusal ? `${of.caller.key}: ${toRefusal(refusal).status}` : of.caller.key);
    });
    return request;
  };
  return {
    start,
    order,
    usage,
    enter,
    pass: (ms: number) => {
      now += ms;
    },
    fill: (full: boolean) => {
      hasSpace = !full;
    },
  };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const count = (order: readonly string[], key: string) => order.filter((one) => one === key).length;

describe('a burst of one caller', () => {
  it('starts a few requests in each turn of the event loop, and no request of others waits for it', async () => {
    const { order, usage, enter } = create();
    const many = usage('many');
    for (let n = 0; n < 20; n++) enter(many);
    expect(order).toEqual(['many', 'many', 'many', 'many']);
    enter(usage('stranger'));
    expect(order.at(-1)).toBe('stranger');
    await nextTurn();
    expect(count(order, 'many')).toBe(8);
    while (count(order, 'many') < 20) await nextTurn();
  });

  it('a burst of one caller is refused beyond its queue', () => {
    const { order, usage, enter } = create();
    const many = usage('many');
    for (let n = 0; n < 200; n++) enter(many);
    expect(order).toHaveLength(4 + 36);
    expect(order.slice(4)).toEqual(Array(36).fill('many: 429'));
  });

  it('has few requests in progress while turns are long', async () => {
    const { start, order, usage, enter, pass } = create();
    const many = usage('many');
    const requests = Array.from({ length: 10 }, () => enter(many));
    pass(100);
    await nextTurn();
    expect(order).toHaveLength(4);
    // Three remain in progress, so one of the queue may start.
    for (const request of requests.slice(0, 2)) start.leave(request);
    pass(100);
    await nextTurn();
    expect(order).toHaveLength(5);
    await nextTurn();
    expect(order).toHaveLength(9);
  });
});

describe('a caller whose clients read slowly', () => {
  it('a caller whose clients read slowly is served while turns are long, because answered requests work no longer', async () => {
    const { start, order, usage, enter, pass } = create();
    const slow = usage('slow');
    const requests = Array.from({ length: 4 }, () => enter(slow));
    for (const request of requests) start.release(request);
    pass(100);
    await nextTurn();
    enter(slow);
    expect(order).toHaveLength(5);
  });
});

describe('callers that all wait', () => {
  it('take the places that become free before callers that come later', async () => {
    const { start, order, usage, enter } = create();
    const others = Array.from({ length: 12 }, (_, n) => usage(`other ${n}`));
    const requests = [];
    for (const of of others) {
      requests.push(...Array.from({ length: 4 }, () => enter(of)));
      await nextTurn();
    }
    expect(start).toMatchObject({ working: 45, queued: 3 });
    start.leave(requests[0] as TrackedRequest);
    enter(usage('late'));
    expect(order).not.toContain('late');
    await nextTurn();
    expect(order.at(-1)).toBe('other 11');
  });

  it('start in turn, administrators first and beyond the limit of others', async () => {
    const { start, order, usage, enter } = create();
    const others = ['a', 'b', 'c'].map((key) => usage(key));
    const requests = others.flatMap((of) => Array.from({ length: 12 }, () => enter(of)));
    const admin = usage('admin', 'administrator');
    for (let n = 0; n < 33; n++) enter(admin);
    expect(count(order, 'admin')).toBe(32);
    await nextTurn();
    expect(order.slice(44)).toEqual(['admin']);
    expect(start.working).toBe(45);
    for (const request of requests.slice(0, 3)) start.leave(request);
    order.length = 0;
    await nextTurn();
    expect(order).toEqual(['a', 'a', 'a']);
    await nextTurn();
    start.leave(requests[12] as TrackedRequest);
    await nextTurn();
    expect(order.at(-1)).toBe('b');
  });
});

it('a request waits while there is no memory for its answer', async () => {
  const { start, order, usage, enter, fill } = create();
  const many = usage('many');
  const first = enter(many);
  fill(true);
  enter(many);
  await nextTurn();
  expect(order).toHaveLength(1);
  fill(false);
  start.leave(first);
  await nextTurn();
  expect(order).toHaveLength(2);
});

it('a request that has waited too long is refused', () => {
  const { start, order, usage, enter } = create();
  const many = usage('many');
  for (let n = 0; n < 5; n++) enter(many);
  for (let second = 0; second <= 20; second++) start.tick();
  expect(order.at(-1)).toBe('many: 429');
  expect(start.queued).toBe(0);
});

it('a long poll counts as working until it has waited for some time', () => {
  const { start, usage, enter } = create();
  const alice = usage('alice');
  const poll = enter(alice, true);
  expect(start.working).toBe(1);
  start.tick();
  expect(alice).toMatchObject({ working: 1, inProgress: 1 });
  start.tick();
  expect(alice).toMatchObject({ working: 0, inProgress: 0 });
  start.leave(poll);
  expect(alice).toMatchObject({ working: 0, inProgress: 0 });
  expect(start.working).toBe(0);
});
