import { systemRandom } from '@steward/kernel';
import { sharedStore, stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Attempt, startIdempotencyKeys } from './idempotency-keys.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Longer than a lease. */
const AFTER_CRASH_MS = 11_000;

describe.each(stores)('idempotency keys $title', ({ missing, open }) => {
  /** Two processes on one store. */
  async function openTwo() {
    const { store, drop } = await open();
    const clock = createFakeClock();
    const start = () =>
      startIdempotencyKeys({
        ...{ store: sharedStore(store), clock, random: systemRandom },
        report: (message, fields) => expect.unreachable(`${message} ${String(fields?.error)}`),
      });
    const processes = [await start(), await start()];
    onTestFinished(async () => {
      for (const each of processes) await each.close();
      await drop();
    });
    let entries = 0;
    const claim = (id: string, request = 'request', nth = 0) =>
      (processes[nth] ?? expect.unreachable()).claim({ id, request }, () => ({
        id: `entry-${entries++}`,
        ts: clock.now(),
      }));
    const attempt = async (...of: Parameters<typeof claim>): Promise<Attempt> => {
      const claimed = await claim(...of);
      if (claimed.kind !== 'attempt') expect.unreachable(claimed.kind);
      return claimed.attempt;
    };
    return { clock, claim, attempt };
  }
  const answer = { message: Buffer.from('done'), entityTag: '"a.1"', targets: ['@a:test'] };

  it.skipIf(missing)(
    'one of many concurrent requests makes the attempt, the others learn of it',
    async () => {
      const { claim } = await openTwo();
      const claims = await Promise.all(Array.from({ length: 40 }, (_, n) => claim('key', 'request', n % 2)));
      expect(claims.filter(({ kind }) => kind === 'attempt')).toHaveLength(1);
      expect(claims.filter(({ kind }) => kind === 'in_progress')).toHaveLength(39);
      for (const { kind } of claims) expect(kind).not.toBe('other_request');
      expect(await claim('key', 'another one')).toEqual({ kind: 'other_request' });
    },
  );

  it.skipIf(missing)('an answer is kept for a day', async () => {
    const { clock, claim, attempt } = await openTwo();
    const made = await attempt('key');
    await made.succeeded(answer);
    expect(await claim('key', 'request', 1)).toEqual({
      kind: 'answered',
      answer: { ...answer, entry: made.entry },
    });
    expect(await claim('key', 'another one')).toEqual({ kind: 'other_request' });
    clock.advance(DAY_MS + 1);
    expect((await attempt('key', 'another one')).seed).not.toBe(made.seed);
  });

  it.skipIf(missing)('an answer that is too large is not kept, but that there was one', async () => {
    const { claim, attempt } = await openTwo();
    await (await attempt('key')).succeeded({ ...answer, message: Buffer.alloc(256 * 1024 + 1) });
    expect(await claim('key')).toMatchObject({
      kind: 'answered',
      answer: { message: undefined, targets: answer.targets },
    });
  });

  it.skipIf(missing)('a refused action is forgotten', async () => {
    const { attempt } = await openTwo();
    const first = await attempt('key');
    await first.refused();
    const second = await attempt('key', 'another one');
    expect(second).toMatchObject({ isRepeated: false });
    expect(second.seed).not.toBe(first.seed);
  });

  it.skipIf(missing)('a failed attempt is made again with the same ids and another entry', async () => {
    const { attempt } = await openTwo();
    const first = await attempt('key');
    await first.failed();
    const second = await attempt('key', 'request', 1);
    expect(second).toMatchObject({ isRepeated: true, seed: first.seed, ts: first.ts });
    expect(second.entry).not.toEqual(first.entry);
  });

  it.skipIf(missing)(
    'an interrupted attempt is made again with the same ids and entry, by one process',
    async () => {
      const { clock, claim, attempt } = await openTwo();
      const first = await attempt('key');
      first.abandoned();
      expect(await claim('key', 'request', 1)).toMatchObject({ kind: 'in_progress' });
      clock.advance(AFTER_CRASH_MS);
      const claims = await Promise.all([0, 1, 0, 1].map((nth) => claim('key', 'request', nth)));
      const [second, ...others] = claims.flatMap((each) => (each.kind === 'attempt' ? [each.attempt] : []));
      expect(others).toEqual([]);
      expect(second).toMatchObject({ isRepeated: true, seed: first.seed, entry: first.entry });
      // What the first one still does is not taken for the end of the second one.
      await first.refused();
      expect(await claim('key')).toMatchObject({ kind: 'in_progress' });
      await second?.succeeded(answer);
      expect(await claim('key')).toMatchObject({ kind: 'answered' });
    },
  );
});
