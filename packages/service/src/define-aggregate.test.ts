import {
  type Outbox,
  type OutgoingEvent,
  openOutbox,
  outgoing,
  startRelay,
  userCreated,
} from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { Conflict, type Doc, declareCollection, NOT_FLUSHED, type Store } from '@steward/store';
import { type CrashPoint, crashableStore, stores } from '@steward/store/testing';
import { createFakeClock, dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Aggregate,
  MAX_PENDING_EFFECT_BYTES,
  MAX_PENDING_EFFECTS,
  type PendingEffect,
} from './aggregate.ts';
import { declareAggregate } from './declare-aggregate.ts';
import { defineAggregate, unchanged } from './define-aggregate.ts';
import { type OpenedCollections, openCollections } from './open-collections.ts';
import { deleteAggregates, insertAggregates } from './write-aggregates.ts';

/** What it proves. */
const GUARDS = ['packages/service/'];

/** A list whose commits write their items to other documents. */
interface List extends Aggregate {
  readonly items: readonly string[];
  readonly pending?: readonly ListEffect[];
}

type ListEffect = PendingEffect &
  (
    | { readonly kind: 'added'; readonly item: string }
    | { readonly kind: 'published'; readonly item: string }
    | { readonly kind: 'checked'; readonly item: string }
    | { readonly kind: 'announced'; readonly item: string }
  );

/** A written item. */
interface Entry extends Doc {
  readonly list: string;
}

const collections = {
  lists: declareAggregate<List>({ name: 'test.lists', shardKey: '_id', indexes: [] }),
  entries: declareCollection<Entry>({ name: 'test.entries', shardKey: '_id', indexes: [] }),
};

interface Deps extends OpenedCollections<typeof collections> {
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly random: typeof systemRandom;
  readonly outbox: Outbox;
  /** The applied effects, in order: kind, items, and the known values. */
  readonly log: string[];
  /** Throws for an item that cannot be applied. */
  readonly refuse?: (item: string) => void | Promise<void>;
}

type Prefetched = { readonly hint: string };

const lists = defineAggregate<List, ListEffect, Deps, Prefetched>({
  collection: (deps) => deps.lists,
  deferred: ['checked'],
  effects: {
    async added(deps, { _id }, effects, known) {
      deps.log.push(`added ${effects.map(({ item }) => item).join('+')}${known ? ` ${known.hint}` : ''}`);
      for (const { item } of effects) {
        await deps.refuse?.(item);
        await deps.entries.updateOne({ _id: item }, { $set: { list: _id } }, { upsert: true });
      }
    },
    async published(deps, _, effects) {
      deps.log.push(`published ${effects.map(({ item }) => item).join('+')}`);
      for (const { item } of effects) await deps.refuse?.(item);
      return () => deps.log.push(`notified ${effects.map(({ item }) => item).join('+')}`);
    },
    async checked(deps, _, effects) {
      deps.log.push(`checked ${effects.map(({ item }) => item).join('+')}`);
      for (const { item } of effects) await deps.refuse?.(item);
    },
    announced: {
      outbox: (deps) => deps.outbox,
      eventOf: ({ _id, version, items }, { id, item }) =>
        outgoing(
          userCreated,
          { userId: `${item} of ${items.join('+')}` },
          { id, timeMs: 0, aggregate: _id, sequence: version, traceparent: '', requester: '' },
        ),
    },
  },
});

const add = (item: string) => ({ push: { items: item }, effects: [{ kind: 'added', item }] }) as const;
const empty = (_id: string): List => ({ _id, version: 1, items: [] });

async function depsOn(store: Store, more: Partial<Deps> = {}): Promise<Deps> {
  const opened = await openCollections(store, collections);
  const outbox = await openOutbox(store, 'test');
  return { ...opened, outbox, clock: createFakeClock(), random: systemRandom, log: [], ...more };
}

describe.each(stores)('$title', ({ missing, remote, open }) => {
  const setUp = async (more: Partial<Deps> = {}) => {
    const { store, drop } = await open();
    onTestFinished(drop);
    return { store, deps: await depsOn(store, more) };
  };
  /** A list as a process leaves it that crashes after its commit. */
  const left = async (deps: Deps, id: string, effects: readonly ListEffect[]) =>
    insertAggregates(deps.lists, [{ ...empty(id), pending: effects }]);

  describe.skipIf(missing)('change', () => {
    it('commits the decision, and applies the effects', async () => {
      const { deps } = await setUp();
      await lists.create(deps, empty('l'));
      const committed: List[] = [];
      const changed = await lists.change(deps, 'l', () => add('a'), {
        committed: (document) => committed.push(document),
      });
      expect(changed?.document).toEqual({ _id: 'l', version: 2, items: ['a'], pending: [] });
      expect(changed?.effects).toMatchObject([{ id: expect.any(String), kind: 'added', item: 'a' }]);
      expect(await deps.lists.findOne({ _id: 'l' })).toEqual(changed?.document);
      expect(await deps.entries.find({}).toArray()).toEqual([{ _id: 'a', list: 'l' }]);
      expect(committed).toMatchObject([{ version: 2, pending: [{ kind: 'added', item: 'a' }] }]);
    });

    it('writes nothing without a decision, and increments the version for an empty one', async () => {
      const { deps } = await setUp();
      await lists.create(deps, empty('l'));
      const committed = () => expect.unreachable();
      const left = await lists.change(deps, 'l', () => undefined, { committed });
      expect(left).toEqual({ document: empty('l'), effects: [], result: undefined });
      const kept = await lists.change(deps, 'l', ({ items }) => unchanged(items.length), { committed });
      expect(kept).toEqual({ document: empty('l'), effects: [], result: 0 });
      const changed = await lists.change(deps, 'l', async () => ({}));
      expect(changed?.document).toEqual({ ...empty('l'), version: 2 });
      expect(await lists.change(deps, 'none', () => expect.unreachable())).toBeUndefined();
    });

    it('writes documents of other collections in the same step where the engine can, and else decides nothing', async () => {
      const { store, deps } = await setUp();
      const current = await lists.create(deps, empty('l'));
      let decisions = 0;
      const commit = (list: List, item: string) =>
        lists.commitAlong(deps, list, () => {
          decisions++;
          const along = [deps.entries.insertion([{ _id: item, list: 'l' }])];
          return { set: { items: [item] }, along, result: item };
        });
      if (!store.capabilities.insertsAlongCommit) {
        expect(await commit(current, 'a')).toBeUndefined();
        expect(decisions).toBe(0);
        expect(await lists.load(deps, 'l')).toEqual(empty('l'));
        return;
      }
      const document = { ...empty('l'), version: 2, items: ['a'] };
      const committed = await commit(current, 'a');
      expect(committed).toEqual({ document, effects: [], result: 'a' });
      expect(await deps.entries.find({}).toArray()).toEqual([{ _id: 'a', list: 'l' }]);
      // Neither is written when one of them cannot be.
      await expect(commit(document, 'a')).rejects.toThrow(Conflict);
      await expect(commit(current, 'b')).rejects.toThrow(Conflict);
      expect(await lists.load(deps, 'l')).toEqual(document);
      expect(await deps.entries.countDocuments({})).toBe(1);
    });

    it('applies the changes of concurrent writers, each exactly once', async () => {
      const { deps } = await setUp();
      await lists.create(deps, empty('l'));
      const items = Array.from({ length: 8 }, (_, i) => `i${i}`);
      await Promise.all(items.map((item) => lists.change(deps, 'l', () => add(item))));
      const list = await lists.load(deps, 'l');
      expect(list).toMatchObject({ version: 9, pending: [] });
      expect(list?.items.toSorted()).toEqual(items);
      expect(await deps.entries.countDocuments({ list: 'l' })).toBe(8);
    });

    it('decides again on the newer version after a conflict, until the deadline', async () => {
      const { deps } = await setUp();
      await lists.create(deps, empty('l'));
      const seen: number[] = [];
      const interfere = async (list: List) => {
        seen.push(list.items.length);
        if (seen.length === 1) await lists.change(deps, 'l', () => add('other'));
        return { ...add('mine'), result: list.items };
      };
      const { document, result } = (await lists.change(deps, 'l', interfere)) ?? {};
      expect(document).toMatchObject({ items: ['other', 'mine'] });
      // That of the decision which was committed.
      expect(result).toEqual(['other']);
      expect(seen).toEqual([0, 1]);

      const always = async () => {
        await lists.change(deps, 'l', () => ({}));
        return {};
      };
      // The clock advances faster than the waits, so that there are fewer of them.
      const wait = async (ms: number) => deps.clock.advance(16 * ms);
      const start = deps.clock.now();
      await expect(lists.change(deps, 'l', always, { wait })).rejects.toThrow(Conflict);
      expect(deps.clock.now() - start).toBeGreaterThan(19_000);
      expect(deps.clock.now() - start).toBeLessThanOrEqual(24_000);
      const again = deps.clock.now();
      await expect(lists.change(deps, 'l', always, { wait, withinMs: 500 })).rejects.toThrow(Conflict);
      expect(deps.clock.now() - again).toBeLessThanOrEqual(4_500);
    });

    it('throws the error of a decision or of an effect immediately', async () => {
      const { deps } = await setUp({
        refuse: (item) => {
          if (item === 'bad') throw new Error('not now');
        },
      });
      await lists.create(deps, empty('l'));
      const decide = () => {
        throw new Error('refused');
      };
      await expect(lists.change(deps, 'l', decide)).rejects.toThrow('refused');
      expect(await deps.lists.findOne({ _id: 'l' })).toEqual(empty('l'));
      await expect(lists.change(deps, 'l', () => add('bad'))).rejects.toThrow('not now');
      // The change is committed nevertheless, and the next load throws again.
      expect(await deps.lists.findOne({ _id: 'l' })).toMatchObject({ version: 2, items: ['bad'] });
      await expect(lists.load(deps, 'l')).rejects.toThrow('not now');
    });
  });

  describe.skipIf(missing)('create, commit and delete', () => {
    it('changes a document that is created if there is none, once for requests that come together', async () => {
      const { deps } = await setUp();
      const append = (item: string) =>
        lists.changeOrCreate(deps, empty('l'), ({ version }) => ({
          set: { items: [item] },
          result: version,
        }));
      const together = await Promise.all([append('a'), append('b')]);
      const later = await append('c');
      expect([...together, later].map((changed) => changed?.result).toSorted()).toEqual([1, 2, 3]);
      expect(later?.document).toMatchObject({ _id: 'l', version: 4, items: ['c'] });
    });

    it('creates with effects, and refuses an id that is in use', async () => {
      const { deps } = await setUp();
      const created = await lists.create(
        deps,
        { ...empty('l'), items: ['a'] },
        [{ kind: 'added', item: 'a' }],
        { known: { hint: 'new' }, ...NOT_FLUSHED },
      );
      expect(created).toEqual({ ...empty('l'), items: ['a'], pending: [] });
      expect(await deps.lists.findOne({ _id: 'l' })).toEqual(created);
      expect(deps.log).toEqual(['added a new']);
      await expect(lists.create(deps, empty('l'))).rejects.toMatchObject({ index: '_id' });
    });

    it('commits once, on the given version, and leaves effects to applyPending', async () => {
      const { deps } = await setUp();
      const stale = await lists.create(deps, empty('l'));
      const committed = await lists.commit(deps, stale, { push: { items: 'a' } }, [
        { id: 'e', kind: 'added', item: 'a' },
      ]);
      expect(committed).toEqual({
        _id: 'l',
        version: 2,
        items: ['a'],
        pending: [{ id: 'e', kind: 'added', item: 'a' }],
      });
      expect(deps.log).toEqual([]);
      await expect(lists.commit(deps, stale, {})).rejects.toMatchObject({ index: 'version' });
      await expect(lists.commit(deps, empty('none'), {})).rejects.toThrow(Conflict);
      await lists.change(deps, 'l', () => add('b'));
      // The given document, without the changes that other writers made since.
      expect(await lists.applyPending(deps, committed, { hint: 'known' })).toEqual({
        ...committed,
        pending: [],
      });
    });

    it('refuses too many effects, and too large ones', async () => {
      const { deps } = await setUp();
      const list = await lists.create(deps, empty('l'));
      const many = Array.from(
        { length: MAX_PENDING_EFFECTS },
        (_, i) => ({ kind: 'added', item: `${i}` }) as const,
      );
      const large = { kind: 'added', item: 'x'.repeat(MAX_PENDING_EFFECT_BYTES) } as const;
      await expect(lists.commit(deps, list, {}, [large])).rejects.toThrow(RangeError);
      await expect(lists.create(deps, empty('m'), [large])).rejects.toThrow(RangeError);
      const full = await lists.commit(deps, list, {}, many);
      await expect(lists.commit(deps, full, {}, [{ kind: 'added', item: 'more' }])).rejects.toThrow(
        RangeError,
      );
    });

    it('deletes the version that was decided on, after applying its effects', async () => {
      const { deps } = await setUp();
      await left(deps, 'l', [{ id: '1', kind: 'added', item: 'a' }]);
      expect(await lists.delete(deps, 'l', () => false)).toBe('kept');
      const versions: number[] = [];
      const decide = async ({ version }: List) => {
        versions.push(version);
        if (version === 1) await lists.change(deps, 'l', () => add('b'));
        return true;
      };
      expect(await lists.delete(deps, 'l', decide)).toBe('deleted');
      expect(versions).toEqual([1, 2]);
      expect(await lists.delete(deps, 'l')).toBe('missing');
      expect(await deps.entries.countDocuments({})).toBe(2);
    });
  });

  describe.skipIf(missing)('an effect that only publishes', () => {
    const announce = (item: string) => [{ id: item, kind: 'announced', item }] as const;
    /** Publishes what the outbox holds; returns the id and the version of each event. */
    const published = async (store: Store) => {
      const events: string[] = [];
      const publish = async ({ id, sequence }: OutgoingEvent) => void events.push(`${id} ${sequence}`);
      const relay = await startRelay({
        store,
        service: 'test',
        bus: { publish },
        clock: createFakeClock(),
        random: systemRandom,
      });
      await relay.whenIdle();
      await relay.close();
      return events;
    };

    it('an effect that only publishes is stored by the commit where the engine can, and otherwise pending', async () => {
      const { store, deps } = await setUp();
      const list = await lists.create(deps, empty('l'));
      const committed = await lists.commit(deps, list, { set: { items: ['a'] } }, announce('a'));
      const along = store.capabilities.insertsAlongCommit;
      expect(committed.pending?.length ?? 0).toBe(along ? 0 : 1);
      expect(await published(store)).toEqual(along ? ['a 2'] : []);
      await lists.applyPending(deps, committed);
      expect(await published(store)).toEqual(along ? [] : ['a 2']);
    });

    it('an effect that only publishes is stored by the creation where the engine can, and not by one that conflicts', async () => {
      const { store, deps } = await setUp();
      expect(await lists.create(deps, empty('l'), announce('a'))).toMatchObject(empty('l'));
      await expect(lists.create(deps, empty('l'), announce('b'))).rejects.toMatchObject({ index: '_id' });
      const list = await deps.lists.findOne({ _id: 'l' });
      expect(list?.pending === undefined).toBe(store.capabilities.insertsAlongCommit);
      expect(await published(store)).toEqual(['a 1']);
    });

    it('happens once with each change, and not with one that lost to another', async () => {
      const { store, deps } = await setUp();
      const list = await lists.create(deps, empty('l'));
      for (const item of ['a', 'b'])
        await lists.change(deps, 'l', ({ items }) => ({
          set: { items: [...items, item] },
          effects: announce(item),
        }));
      await expect(lists.commit(deps, list, { set: { items: ['c'] } }, announce('c'))).rejects.toThrow(
        Conflict,
      );
      expect(await published(store)).toEqual(['a 2', 'b 3']);
    });

    it.each([
      { title: 'earlier effects are pending', earlier: [{ id: '1', kind: 'added', item: 'x' }], change: {} },
      { title: 'the commit has other effects', more: [{ kind: 'added', item: 'x' }], change: {} },
      { title: 'the changed document is not known', change: { push: { items: 'a' } } },
    ] as const)('is pending while $title', async ({ earlier = [], more = [], change }) => {
      const { store, deps } = await setUp();
      await left(deps, 'l', earlier);
      const list = { ...empty('l'), pending: earlier };
      const committed = await lists.commit(deps, list, change, [...more, ...announce('a')]);
      expect(committed.pending?.at(-1)).toEqual(announce('a')[0]);
      expect(await published(store)).toEqual([]);
      await lists.load(deps, 'l');
      expect(await published(store)).toEqual(['a 2']);
    });
  });

  describe.skipIf(missing)('pending effects', () => {
    it('pending effects are applied in order, consecutive ones of a kind together, and removed in one write', async () => {
      const { deps } = await setUp();
      await left(deps, 'l', [
        { id: '1', kind: 'added', item: 'a' },
        { id: '2', kind: 'added', item: 'b' },
        { id: '3', kind: 'published', item: 'b' },
        { id: '4', kind: 'added', item: 'c' },
      ]);
      expect(await lists.load(deps, 'l')).toEqual({ ...empty('l'), pending: [] });
      // The returned callbacks run when no effect is pending.
      expect(deps.log).toEqual(['added a+b', 'published b', 'added c', 'notified b']);
      await lists.load(deps, 'l');
      expect(deps.log).toHaveLength(4);
    });

    it('stay when they cannot be applied, with all later ones', async () => {
      const { deps } = await setUp({
        refuse: (item) => {
          if (item === 'bad') throw new Error('not now');
        },
      });
      await left(deps, 'l', [
        { id: '1', kind: 'published', item: 'a' },
        { id: '2', kind: 'added', item: 'bad' },
        { id: '3', kind: 'published', item: 'c' },
      ]);
      await expect(lists.load(deps, 'l')).rejects.toThrow('not now');
      expect((await deps.lists.findOne({ _id: 'l' }))?.pending?.map(({ id }) => id)).toEqual(['2', '3']);
      expect(deps.log).toEqual(['published a', 'added bad', 'notified a']);
    });

    it('of commits during a load are applied by that load, too', async () => {
      let interfered = false;
      const { deps } = await setUp({
        refuse: async () => {
          if (interfered) return;
          interfered = true;
          const current = await deps.lists.findOne({ _id: 'l' });
          if (current) await lists.commit(deps, current, {}, [{ kind: 'added', item: 'later' }]);
        },
      });
      await left(deps, 'l', [{ id: '1', kind: 'added', item: 'a' }]);
      expect(await lists.load(deps, 'l')).toMatchObject({ version: 2, pending: [] });
      expect(await deps.entries.countDocuments({})).toBe(2);
    });

    it('may be applied by several callers concurrently, also while the document is deleted', async () => {
      const { deps } = await setUp();
      const effects: ListEffect[] = [{ id: '1', kind: 'added', item: 'a' }];
      await left(deps, 'l', effects);
      await Promise.all([1, 2, 3].map(() => lists.load(deps, 'l')));
      expect(await deps.lists.findOne({ _id: 'l' })).toMatchObject({ pending: [] });
      await left(deps, 'm', effects);
      const refuse = async () => void (await deleteAggregates(deps.lists, { _id: 'm' }));
      expect(await lists.load({ ...deps, refuse }, 'm')).toBeUndefined();
    });

    it('of deferred kinds wait for applyDeferred', async () => {
      const { deps } = await setUp();
      const effects: ListEffect[] = [
        { id: '1', kind: 'checked', item: 'a' },
        { id: '2', kind: 'added', item: 'a' },
        { id: '3', kind: 'checked', item: 'b' },
      ];
      await left(deps, 'l', effects);
      const loaded = await lists.load(deps, 'l');
      expect(loaded?.pending).toEqual([effects[0], effects[2]]);
      const changed = await lists.change(deps, 'l', () => ({ effects: [{ kind: 'checked', item: 'c' }] }));
      expect(deps.log).toEqual(['added a']);
      const rest = await lists.applyDeferred(deps, changed?.document as List, undefined, ['3']);
      expect(rest.pending?.map(({ item }) => item)).toEqual(['a', 'c']);
      await lists.applyDeferred(deps, rest);
      expect(deps.log).toEqual(['added a', 'checked b', 'checked a+c']);
      expect(await deps.lists.findOne({ _id: 'l' })).toMatchObject({ version: 2, pending: [] });
    });

    it('of a kind that only a later release knows are neither applied nor lost', async () => {
      const { deps } = await setUp();
      await left(deps, 'l', [{ id: '1', kind: 'unheard' } as unknown as ListEffect]);
      await expect(lists.load(deps, 'l')).rejects.toThrow(/unheard/);
      expect((await deps.lists.findOne({ _id: 'l' }))?.pending).toHaveLength(1);
    });

    it('pending effects are applied by the sweep, also when one document fails', async () => {
      const { deps } = await setUp({
        refuse: (item) => {
          if (item === 'i1') throw new Error('not now');
        },
      });
      const documents = Array.from({ length: 40 }, (_, i): List => {
        const kind = i % 4 === 1 ? 'added' : 'checked';
        return { ...empty(`l${i}`), pending: i % 2 ? [{ id: `${i}`, kind, item: `i${i}` }] : [] };
      });
      await insertAggregates(deps.lists, documents);
      await expect(lists.sweep(deps)).rejects.toThrow(AggregateError);
      const pending = await deps.lists.find({ 'pending.id': { $gt: '' } } as never).toArray();
      expect(pending.map(({ _id }) => _id)).toEqual(['l1']);
      expect(await lists.sweep({ ...deps, refuse: () => {} })).toBe(1);
      expect(await lists.sweep(deps)).toBe(0);
    });

    it('pending effects are shared by many documents with the same change', async () => {
      const { deps } = await setUp();
      await insertAggregates(deps.lists, [
        { ...empty('a'), items: ['x'] },
        { ...empty('b'), items: ['x'] },
        empty('c'),
      ]);
      const pending: unknown[] = [];
      const changed = await lists.changeMany(
        deps,
        { items: 'x' },
        { push: { items: 'y' } },
        { kind: 'published', item: 'y' },
        async () =>
          void pending.push(...(await deps.lists.find({ 'pending.id': { $gt: '' } } as never).toArray())),
      );
      expect(changed).toBe(2);
      expect(pending).toMatchObject([
        { _id: 'a', version: 2, items: ['x', 'y'], pending: [{ kind: 'published', item: 'y' }] },
        { _id: 'b', version: 2 },
      ]);
      expect(await deps.lists.countDocuments({ 'pending.id': { $gt: '' } } as never)).toBe(0);
      const none = await lists.changeMany(deps, { items: 'z' }, {}, { kind: 'published', item: 'z' }, () =>
        expect.unreachable(),
      );
      expect(none).toBe(0);
    });
  });

  it.skipIf(missing)(
    'loses a change, or completes it with all its effects, whichever call of the store the process crashes at',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 12 }),
          fc.constantFrom<CrashPoint>('before', 'during', 'after'),
          fc.boolean(),
          async (call, how, sweeps) => {
            const { store, drop } = await open();
            const crashable = crashableStore(store);
            const crashing = await depsOn(crashable.store);
            const deps = await depsOn(store);
            await lists.create(deps, empty('l'));
            crashable.crashAt(call, how);
            let answered: unknown;
            const twice = async () => {
              await lists.change(crashing, 'l', () => add('a'));
              answered = await lists.change(crashing, 'l', () => ({
                push: { items: 'b' },
                effects: [
                  { kind: 'added', item: 'b' },
                  { kind: 'published', item: 'b' },
                  { kind: 'checked', item: 'b' },
                ],
              }));
            };
            await twice().catch(() => {});
            const other = await lists.change(deps, 'l', () => add('c'));
            if (sweeps) await lists.sweep(deps);
            const list = await lists.load(deps, 'l');
            const items = list?.items ?? [];
            expect(other?.document.items).toEqual(items);
            if (answered) expect(items).toEqual(['a', 'b', 'c']);
            expect(['c', 'a,c', 'a,b,c']).toContain(items.join());
            expect(list?.version).toBe(items.length + 1);
            const entries = await deps.entries.find({}, { sort: { _id: 1 } }).toArray();
            expect(entries.map(({ _id }) => _id)).toEqual(items);
            expect(list?.pending?.filter(({ kind }) => sweeps || kind !== 'checked') ?? []).toEqual([]);
            await drop();
          },
        ),
        { numRuns: dueRuns(remote ? 6 : 60, 'crashes of a change', GUARDS) },
      );
    },
  );
});
