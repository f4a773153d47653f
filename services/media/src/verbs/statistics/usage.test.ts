import { insertAggregates } from '@steward/service';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeQuarantine, sweepQuarantine } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import { removeMedia, sweepDeleting } from '../../core/remove-media.ts';
import { countMedia, exactUsage, sweepUsage } from '../../core/usage/count-media.ts';
import { machineOn } from '../../fixtures/machine-on.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { roundsOf, runRound } from '../../fixtures/rounds.ts';

const USERS = ['@a:test', '@b:test'];
/** About the number of calls of the store that an operation makes. */
const MOST_CALLS = 25;

/** Longer than the sweep leaves a deletion to the request that began it, in milliseconds. */
const LONG_MS = 120_000;

/** A request that concerns the media of a user. */
interface Operation {
  readonly kind: 'upload' | 'delete' | 'quarantine' | 'unquarantine';
  readonly user: number;
  /** The number of media. */
  readonly number: number;
}

const operation = fc.record<Operation>({
  kind: fc.constantFrom('upload', 'upload', 'delete', 'quarantine', 'unquarantine'),
  user: fc.nat(USERS.length - 1),
  number: fc.integer({ min: 1, max: 7 }),
});

let made = 0;

const medium = (user_id: string, length: number) =>
  mediumOf(`m${++made}`, { user_id, created_ts: made, length, uncounted: true });

async function run(deps: Deps, { kind, user, number }: Operation): Promise<void> {
  const userId = USERS[user] as string;
  if (kind === 'upload') {
    for (let i = 0; i < number; i++) await insertAggregates(deps.media, [medium(userId, number * 10 + i)]);
    return countMedia(deps, userId);
  }
  const some = await deps.media
    .find({ user_id: userId }, { sort: { _id: 1 }, limit: number, projection: { _id: 1 } })
    .toArray();
  const keys = some.map(({ _id }) => _id);
  if (keys.length === 0) return;
  if (kind === 'delete') await removeMedia(deps, keys);
  else await changeQuarantine(deps, { keys, which: {} }, kind === 'quarantine' ? '@admin:test' : null);
}

/** Counts the media of a user, to compare with the usage. */
async function recount(deps: Deps, userId: string) {
  const media = await deps.media.find({ user_id: userId }).toArray();
  return { count: media.length, length: media.reduce((sum, { length }) => sum + length, 0) };
}

describe('usage', () => {
  it('usage is exact, and every change of quarantine is listed, whenever a process crashes', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(roundsOf(operation, MOST_CALLS, ['before', 'after']), async (rounds) => {
        const store = await openSqliteStore({ path: ':memory:' });
        try {
          for (const round of rounds) {
            await runRound(store, round, run);
            // The usage of a user is exact before any sweep.
            const survivor = await machineOn(store);
            for (const userId of USERS) {
              const { count = 0, length = 0 } = (await exactUsage(survivor, userId)) ?? {};
              expect({ count, length }).toEqual(await recount(survivor, userId));
            }
          }
          const clock = createFakeClock();
          clock.advance(LONG_MS);
          const last = await machineOn(store, { clock });
          await sweepDeleting(last);
          await sweepUsage(last);
          await sweepQuarantine(last);
          const withMedia = [];
          for (const userId of USERS) {
            const usage = await last.usage.findOne({ _id: userId });
            const { count = 0, length = 0, pending = [] } = usage ?? {};
            expect({ count, length, pending }).toEqual({ ...(await recount(last, userId)), pending: [] });
            if (count > 0) withMedia.push(userId);
          }
          expect((await last.usage.tally()).get('some') ?? 0).toBe(withMedia.length);
          await expectListed(last);
        } finally {
          await store.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('counts each deleted medium once in concurrent deletions', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    const machines = await Promise.all(Array.from({ length: 4 }, () => machineOn(store)));
    const [deps] = machines as [Deps];
    const media = Array.from({ length: 40 }, () => medium('@a:test', 1));
    await insertAggregates(deps.media, media);
    await countMedia(deps, '@a:test');
    const keys = media.map(({ _id }) => _id);
    const removed = await Promise.all(machines.map((machine) => removeMedia(machine, keys)));
    expect(
      removed
        .flat()
        .map(({ _id }) => _id)
        .sort(),
    ).toEqual(keys.toSorted());
    expect(await exactUsage(deps, '@a:test')).toMatchObject({ count: 0, length: 0, facet: 'none' });
    await store.close();
  });
});

/** Expects that the last listed change of each medium agrees with it, and that no effect is pending. */
async function expectListed({ media, quarantineChanges }: Deps): Promise<void> {
  const listed = await quarantineChanges.find({}, { sort: { _id: 1 } }).toArray();
  expect(listed.map(({ _id }) => Number(_id))).toEqual(listed.map((_, index) => index + 1));
  const last = new Map(listed.map(({ media_id, quarantined }) => [media_id, quarantined]));
  for (const { media_id, quarantined_by, pending = [] } of await media.find({}).toArray()) {
    expect(pending).toEqual([]);
    expect(last.get(media_id) ?? false).toBe(quarantined_by !== null);
  }
}
