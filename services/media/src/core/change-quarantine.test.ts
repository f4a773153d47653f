import { insertAggregates } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { crashableStore } from '@steward/store/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machineOn } from '../fixtures/machine-on.ts';
import { mediumOf } from '../fixtures/medium.ts';
import { roundsOf, runRound } from '../fixtures/rounds.ts';
import { changeQuarantine, insertUpload, sweepQuarantine } from './change-quarantine.ts';
import { collections } from './collections.ts';
import type { Deps } from './deps.ts';
import { type Media, SYSTEM } from './model/media.ts';
import { QUARANTINED, READABLE, UNPROTECTED } from './same-content.ts';

const ADMIN = '@admin:test';
const HASHES = ['aa', 'bb'];
/** About the number of calls of the store that an operation makes. */
const MOST_CALLS = 12;

let made = 0;

const medium = (sha256: string, fields: Partial<Media> = {}) =>
  mediumOf(`m${++made}`, { sha256, created_ts: made, ...fields });

const operation = fc.record({
  kind: fc.constantFrom('upload', 'quarantine', 'release'),
  hash: fc.nat(HASHES.length - 1),
});

async function run(deps: Deps, { kind, hash }: { kind: string; hash: number }): Promise<void> {
  const sha256 = HASHES[hash] as string;
  if (kind === 'upload') return insertUpload(deps, medium(sha256));
  const which = kind === 'quarantine' ? UNPROTECTED : QUARANTINED;
  const found = await deps.media.find({ sha256, ...which }, { projection: { _id: 1 } }).toArray();
  const keys = found.map(({ _id }) => _id);
  await changeQuarantine(deps, { keys, which }, kind === 'quarantine' ? ADMIN : null);
}

/**
 * A process whose calls of a method of the media are followed by other work, the first by the first function, before the
 * process sees their result.
 */
async function interruptedMachine(
  store: Store,
  method: 'findOne' | 'updateMany',
  interruptions: readonly ((() => Promise<unknown>) | undefined)[],
): Promise<Deps> {
  const left = [...interruptions];
  return machineOn({
    capabilities: store.capabilities,
    someId: (name) => store.someId(name),
    close: () => store.close(),
    healthy: () => store.healthy(),
    async collection(declaration) {
      const collection = await store.collection(declaration);
      if (declaration.name !== collections.media.name) return collection;
      return new Proxy(collection, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          if (name !== method) return value.bind(target);
          return async (...args: unknown[]) => {
            const result: unknown = await value.apply(target, args);
            await left.shift()?.();
            return result;
          };
        },
      });
    },
  });
}

/** The last listed change of each medium. */
async function listed(deps: Deps): Promise<ReadonlyMap<string, boolean>> {
  const changes = await deps.quarantineChanges.find({}, { sort: { _id: 1 } }).toArray();
  return new Map(changes.map(({ media_id, quarantined }) => [media_id, quarantined]));
}

describe('media of one content', () => {
  it('media of one content are all quarantined or all readable, and listed so, whenever processes crash', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(roundsOf(operation, MOST_CALLS, ['before', 'during', 'after']), async (rounds) => {
        const store = await openSqliteStore({ path: ':memory:' });
        try {
          const survivor = await machineOn(store);
          const safe = HASHES.map((sha256) => medium(sha256, { safe_from_quarantine: true }));
          const others = HASHES.map((sha256) => medium(sha256, { origin: 'elsewhere', user_id: null }));
          await insertAggregates(survivor.media, [...safe, ...others]);
          for (const round of rounds) {
            await runRound(store, round, run);
            await sweepQuarantine(survivor);
            const states = await listed(survivor);
            for (const sha256 of HASHES) {
              const found = await survivor.media.find({ sha256 }).toArray();
              const free = found.filter(({ safe_from_quarantine }) => !safe_from_quarantine);
              const isTaken = free.some(({ quarantined_by }) => quarantined_by !== null);
              for (const { media_id, quarantined_by, safe_from_quarantine, pending = [] } of found) {
                const isQuarantined = isTaken && !safe_from_quarantine;
                expect([media_id, quarantined_by !== null, states.get(media_id) ?? false, pending]).toEqual([
                  media_id,
                  isQuarantined,
                  isQuarantined,
                  [],
                ]);
              }
            }
          }
        } finally {
          await store.close();
        }
      }),
      { numRuns: 150 },
    );
  });

  it('media of one content are completed by the sweep after a crash, unless a later order has changed them', async () => {
    for (const isReleased of [false, true]) {
      const store = await openSqliteStore({ path: ':memory:' });
      const process = crashableStore(store);
      const [first, second] = [await machineOn(process.store), await machineOn(store)];
      const media = [medium('aa'), medium('aa')] as const;
      const keys = media.map(({ _id }) => _id);
      await insertAggregates(second.media, media);
      process.crashAt(1, 'after');
      const some = { keys: keys.slice(0, 1), which: UNPROTECTED };
      await expect(changeQuarantine(first, some, ADMIN)).rejects.toThrow('crashed');
      if (isReleased) await changeQuarantine(second, { keys, which: QUARANTINED }, null);
      await sweepQuarantine(second);
      expect(await second.media.countDocuments(QUARANTINED)).toBe(isReleased ? 0 : media.length);
      await store.close();
    }
  });

  it('media of one content are quarantined by the system only while a checked medium is in quarantine', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    const deps = await machineOn(store);
    const pending = [{ id: 'x', kind: 'uploaded' }] as const;
    // Two uploads, quarantined before a release, whose processes crashed before they checked again.
    await insertAggregates(deps.media, [
      medium('aa', { quarantined_by: SYSTEM, pending }),
      medium('aa', { quarantined_by: SYSTEM, pending: [{ id: 'y', kind: 'uploaded' }] }),
    ]);
    await sweepQuarantine(deps);
    expect(await deps.media.countDocuments({ quarantined_by: null, sha256: 'aa' })).toBe(2);
    await insertUpload(deps, medium('aa'));
    expect(await deps.media.countDocuments(QUARANTINED)).toBe(0);
    await store.close();
  });

  it('media of one content are quarantined together although the content of an upload is released and quarantined during its check', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    const deps = await machineOn(store);
    const first = medium('aa', { quarantined_by: ADMIN });
    await insertAggregates(deps.media, [first]);
    const only = { keys: [first._id] };
    const uploading = await interruptedMachine(store, 'findOne', [
      () => changeQuarantine(deps, { ...only, which: QUARANTINED }, null),
      () => changeQuarantine(deps, { ...only, which: READABLE }, ADMIN),
    ]);
    await insertUpload(uploading, medium('aa'));
    expect(await deps.media.countDocuments(QUARANTINED)).toBe(2);
    await store.close();
  });

  it('media of one content are quarantined together although another administrator quarantines the selected ones at the same time', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    const deps = await machineOn(store);
    const [selected, uploaded] = [medium('aa'), medium('aa')];
    await insertAggregates(deps.media, [selected, uploaded]);
    const other = crashableStore(store);
    const crashing = await machineOn(other.store);
    other.crashAt(1, 'after');
    const few = { keys: [selected._id], which: UNPROTECTED };
    const quarantining = await interruptedMachine(store, 'updateMany', [
      () => changeQuarantine(crashing, few, '@other:test').catch(() => {}),
    ]);
    await changeQuarantine(quarantining, few, ADMIN);
    expect(other.hasCrashed).toBe(true);
    expect(await deps.media.countDocuments(QUARANTINED)).toBe(2);
    await store.close();
  });

  it('media of one content are released together although a sweep completes their quarantine at the same time', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    const deps = await machineOn(store);
    const pending = [{ id: 'x', kind: 'quarantine_changed', by: ADMIN }] as const;
    const interrupted = medium('aa', { quarantined_by: ADMIN, pending });
    await insertAggregates(deps.media, [interrupted, medium('aa')]);
    const few = { keys: [interrupted._id], which: QUARANTINED };
    await sweepQuarantine(
      await interruptedMachine(store, 'findOne', [() => changeQuarantine(deps, few, null)]),
    );
    expect(await deps.media.countDocuments(QUARANTINED)).toBe(0);
    await store.close();
  });
});
