import type { Outbox, OutgoingEvent } from '@steward/events';
import { randomId } from '@steward/kernel';
import {
  Conflict,
  type Filter,
  NOT_FLUSHED,
  type RetryOptions,
  retryOnConflict,
  type Update,
  type WriteOptions,
  type WritesAlong,
} from '@steward/store';
import type { Aggregate, AggregateDeps, NewEffect, PendingEffect } from './aggregate.ts';
import { type AggregateCollection, collectionOf, writesAlong } from './aggregate-collection.ts';
import {
  byVersion,
  type Change,
  type CommitOptions,
  commitOnce,
  requireFew,
  requireSmall,
  versionedUpdate,
} from './commit.ts';

/** How many documents a sweep processes concurrently. */
const SWEEP_BATCH = 16;

/**
 * Applies pending effects of one kind, oldest first. It must be idempotent, and may run late and in several processes
 * concurrently.
 *
 * @param document the document as it was when the effects were found; it may have changed since
 * @param known values that the caller of `applyPending` already has, so that they need not be read
 * @returns optionally a callback that runs once the effects are no longer pending, such as a notification
 */
export type ApplyEffects<T extends Aggregate, E extends PendingEffect, D, Prefetched> = (
  deps: D,
  document: T,
  effects: readonly E[],
  known?: Prefetched,
) => Promise<void> | Promise<(() => void) | undefined>;

/**
 * An effect that only publishes a fact. Where the engine can, the commit itself stores the fact in the outbox, and the
 * effect is never pending.
 */
export interface Publication<T extends Aggregate, E extends PendingEffect, D> {
  readonly outbox: (deps: D) => Outbox;
  /**
   * The event that carries the fact. It has the id of the effect, so that it is published once however often this runs.
   *
   * @param document the document after the commit, or a later version of it
   */
  readonly eventOf: (document: T, effect: E) => OutgoingEvent;
}

/** The definition of an aggregate: its collection, and how its pending effects are applied. */
export interface AggregateDefinition<
  T extends Aggregate,
  E extends PendingEffect,
  D extends AggregateDeps,
  Prefetched = never,
> {
  /** The collection as the service's dependencies hold it. */
  readonly collection: (deps: D) => AggregateCollection<T>;
  /** Applies pending effects, by kind: consecutive effects of one kind together. */
  readonly effects: {
    readonly [K in E['kind']]:
      | ApplyEffects<T, Extract<E, { readonly kind: K }>, D, Prefetched>
      | Publication<T, Extract<E, { readonly kind: K }>, D>;
  };
  /** The kinds that loads and changes do not wait for; `applyDeferred` and the sweep apply them. */
  readonly deferred?: readonly E['kind'][];
}

/** A decision: the change of an aggregate, and its effects. */
export interface Decision<T, E extends PendingEffect> extends Change<T> {
  readonly effects?: readonly NewEffect<E>[];
}

/** What a decision may return: a change, and a result for the caller; `undefined` for neither. */
export type Decided<T, E extends PendingEffect, R> =
  | (Decision<T, E> & { readonly result?: R })
  | Unchanged<R>
  | undefined;

/** A decision that changes nothing, and has a result. */
export interface Unchanged<R> {
  readonly unchanged: true;
  readonly result: R;
}

/** Decides to change nothing, with a result for the caller. */
export function unchanged<R>(result: R): Unchanged<R> {
  return { unchanged: true, result };
}

/** A decision, with documents of other collections that are written in the same atomic step. */
export type DecisionAlong<T, E extends PendingEffect, R> = Decision<T, E> & {
  readonly along: readonly WritesAlong[];
  readonly result?: R;
};

/** The outcome of a change. */
export interface Changed<T, E extends PendingEffect, R> {
  /** The document after the change. */
  readonly document: T;
  /** The effects of the decision; none when it changed nothing. */
  readonly effects: readonly E[];
  /** What the decision that was committed has returned as its result. */
  readonly result: R | undefined;
}

/** The options of a change. */
export interface ChangeOptions<T> extends CommitOptions, RetryOptions {
  /** Runs after the commit, before its effects are applied; not when the decision was `undefined`. */
  readonly committed?: (document: T) => void;
}

/** The outcome of a deletion. */
export type Deletion = 'deleted' | 'kept' | 'missing';

/** The operations on the documents of one aggregate. Created by `defineAggregate`. */
export interface AggregateRoot<
  T extends Aggregate,
  E extends PendingEffect,
  D extends AggregateDeps,
  Prefetched,
> {
  /** Returns the document of an id after applying its pending effects; `undefined` when it does not exist. */
  load(deps: D, id: string): Promise<T | undefined>;
  /**
   * Loads a document, decides, commits and applies the effects. `decide` runs again after a conflict with another
   * commit, for 20 s by default. A decision of `undefined` or `unchanged` writes nothing; an empty one increments the version,
   * which makes commits fail that were decided earlier.
   *
   * @returns the outcome; `undefined` when the document does not exist
   * @throws Conflict on `version` when every attempt conflicted
   * @throws RangeError when too many effects would be pending, or one is too large
   */
  change<R = undefined>(
    deps: D,
    id: string,
    decide: (document: T) => Decided<T, E, R> | Promise<Decided<T, E, R>>,
    options?: ChangeOptions<T>,
  ): Promise<Changed<T, E, R> | undefined>;
  /**
   * As `change`, on a document that is created first if there is none; a crash in between leaves the new one.
   *
   * @param initial the document to create
   */
  changeOrCreate<R = undefined>(
    deps: D,
    initial: Omit<T, 'pending'>,
    decide: (document: T) => Decided<T, E, R> | Promise<Decided<T, E, R>>,
    options?: ChangeOptions<T>,
  ): Promise<Changed<T, E, R> | undefined>;
  /**
   * Creates a document and applies its effects.
   *
   * @returns the created document, without the applied effects
   * @throws Conflict when the id or a value of a unique index is in use
   */
  create(
    deps: D,
    document: Omit<T, 'pending'>,
    effects?: readonly NewEffect<E>[],
    options?: WriteOptions & { readonly known?: Prefetched },
  ): Promise<T>;
  /**
   * Commits a change that was decided on `current`, in one attempt, and does not apply its effects: `applyPending`
   * does that next.
   *
   * @returns the document after the commit
   * @throws Conflict on `version` when another commit has changed the document since, or it was deleted
   * @throws RangeError when too many effects would be pending, or one is too large
   */
  commit(
    deps: D,
    current: T,
    change: Change<T>,
    effects?: readonly NewEffect<E>[],
    options?: CommitOptions,
  ): Promise<T>;
  /**
   * Commits as `commit` does, together with documents of other collections, where the engine can do that.
   *
   * @param decide called only there; `undefined` commits nothing
   * @returns the outcome; `undefined` where the engine cannot do that, and when nothing was decided
   * @throws Conflict as `commit` does, and for a document that cannot be written along; then nothing is written
   */
  commitAlong<R = undefined>(
    deps: D,
    current: T,
    decide: () => DecisionAlong<T, E, R> | undefined | Promise<DecisionAlong<T, E, R> | undefined>,
    options?: WriteOptions,
  ): Promise<Changed<T, E, R> | undefined>;
  /**
   * Applies the pending effects of a document, in order, and removes the applied ones, also when a later one throws.
   * Several processes may do so concurrently. It leaves out deferred kinds.
   *
   * @returns the given document without the applied effects; the stored one may have changed since
   */
  applyPending(deps: D, document: T, known?: Prefetched): Promise<T>;
  /**
   * Applies the pending effects of deferred kinds, as `applyPending` applies the others.
   *
   * @param only the ids of the effects to apply; all by default
   */
  applyDeferred(deps: D, document: T, known?: Prefetched, only?: readonly string[]): Promise<T>;
  /**
   * Commits one change with one effect to every document that matches, whatever its version, then applies the effect.
   *
   * @param applyToAll applies the effect to all documents together, with the same result as applying it to each
   * @returns how many matched
   */
  changeMany(
    deps: D,
    filter: Filter<T>,
    change: Change<T>,
    effect: NewEffect<E>,
    applyToAll: () => Promise<void>,
  ): Promise<number>;
  /**
   * Commits several changes, each on its own and decided on its `current`, which has no pending effects, in one bulk write
   * and one attempt, then applies their effects.
   *
   * @param applyToAll applies the effects of all documents together, with the same result as applying those of each
   * @returns whether all were committed; otherwise the effects of those that were are still pending
   * @throws RangeError when too many effects would be pending, or one is too large
   */
  commitTogether(
    deps: D,
    changes: readonly { readonly current: T; readonly decision: Decision<T, E> }[],
    applyToAll: (effects: readonly E[]) => Promise<void>,
  ): Promise<boolean>;
  /**
   * Deletes a document after applying its pending effects, if `decide` returns true for the deleted version. `decide`
   * runs again after a conflict with a commit.
   *
   * @throws Conflict on `version` when all attempts lost
   */
  delete(
    deps: D,
    id: string,
    decide?: (document: T) => boolean | Promise<boolean>,
    options?: RetryOptions,
  ): Promise<Deletion>;
  /**
   * Applies all pending effects of all documents, including deferred kinds, which crashed processes have left. When the
   * effects of one document fail, it continues with the others.
   *
   * @returns the number of documents whose effects were applied
   * @throws AggregateError at the end, with what went wrong for each of the others
   */
  sweep(deps: D): Promise<number>;
}

/** Defines an aggregate. */
export function defineAggregate<
  T extends Aggregate,
  E extends PendingEffect,
  D extends AggregateDeps,
  Prefetched = never,
>(definition: AggregateDefinition<T, E, D, Prefetched>): AggregateRoot<T, E, D, Prefetched> {
  const deferred = new Set<string>(definition.deferred);
  const stored = (deps: D) => collectionOf<T>(definition.collection(deps));
  const withId = (deps: D) => (effect: NewEffect<E>) =>
    ({ id: randomId(deps.random), ...effect }) as unknown as E;
  // Only this module writes pending effects.
  const pendingOf = (document: T) => (document.pending ?? []) as readonly E[];
  const dueOf = (document: T) => pendingOf(document).filter(({ kind }) => !deferred.has(kind));

  const effectOf = (kind: string) =>
    definition.effects[kind as E['kind']] as
      | ApplyEffects<T, E, D, Prefetched>
      | Publication<T, E, D>
      | undefined;

  /** The insertions that publish all effects of a document; `undefined` unless all can be inserted along with it. */
  const insertionsOf = (deps: D, after: T, effects: readonly E[]): readonly WritesAlong[] | undefined => {
    const insertions: WritesAlong[] = [];
    for (const effect of effects) {
      const publication = effectOf(effect.kind);
      if (!publication || typeof publication === 'function') return undefined;
      const insertion = publication.outbox(deps).insertion(publication.eventOf(after, effect));
      if (!insertion) return undefined;
      insertions.push(insertion);
    }
    return insertions;
  };

  /** The document after a commit; `undefined` unless it is known before the commit and no earlier effect is pending. */
  const knownAfter = (current: T, { set = {}, ...others }: Change<T>): T | undefined => {
    const setsFields =
      Object.keys(others).length === 0 && !Object.keys(set).some((path) => path.includes('.'));
    if (!setsFields || pendingOf(current).length > 0) return undefined;
    return { ...current, ...set, version: current.version + 1 };
  };

  /** Applies effects and removes the applied ones; returns the result of the removal. */
  const applyAnd = async <R>(
    remove: (update: Update<T>) => Promise<R>,
    deps: D,
    document: T,
    effects: readonly E[],
    known?: Prefetched,
  ): Promise<R | undefined> => {
    const applied: string[] = [];
    const afterwards: (() => void)[] = [];
    let removed: R | undefined;
    try {
      for (const group of groupsOf(effects)) {
        const [{ kind }] = group;
        const effect = effectOf(kind);
        // A later release may have committed it, and then it must stay pending.
        if (!effect)
          throw new Error(`This release does not know the pending effect ${kind} of ${document._id}`);
        const then =
          typeof effect === 'function'
            ? await effect(deps, document, group, known)
            : await effect.outbox(deps).add(
                group.map((each) => effect.eventOf(document, each)),
                NOT_FLUSHED,
              );
        applied.push(...group.map(({ id }) => id));
        if (then) afterwards.push(then);
      }
    } finally {
      if (applied.length > 0) {
        removed = await remove(withoutEffects<T>(applied));
        for (const run of afterwards) run();
      }
    }
    return removed;
  };

  // Effects whose removal a power failure loses are applied and removed once more, so neither write is flushed.

  /** Applies effects; returns the document as it then is, null if it is gone. */
  const applyAndReload = async (deps: D, document: T, effects: readonly E[]): Promise<T | null | undefined> =>
    applyAnd(
      (update) =>
        stored(deps).findOneAndUpdate(byId<T>(document._id), update, {
          returnDocument: 'after',
          ...NOT_FLUSHED,
        }),
      deps,
      document,
      effects,
    );

  /** Applies effects; returns the document as it was given, without them, which costs no read of it. */
  const applyAndStrip = async (
    deps: D,
    document: T,
    effects: readonly E[],
    known?: Prefetched,
  ): Promise<T> => {
    if (effects.length === 0) return document;
    await applyAnd(
      (update) => stored(deps).updateOne(byId<T>(document._id), update, NOT_FLUSHED),
      deps,
      document,
      effects,
      known,
    );
    const applied = new Set(effects.map(({ id }) => id));
    return { ...document, pending: pendingOf(document).filter(({ id }) => !applied.has(id)) };
  };

  /** Removes effects that were applied to all documents together. */
  const removeFromAll = (deps: D, filter: Filter<Aggregate>, effects: readonly E[]) =>
    stored(deps).updateMany(filter as Filter<T>, withoutEffects<T>(effects.map(({ id }) => id)), NOT_FLUSHED);

  const root: AggregateRoot<T, E, D, Prefetched> = {
    async load(deps, id) {
      let document: T | null | undefined = await stored(deps).findOne(byId<T>(id));
      while (document) {
        const due = dueOf(document);
        if (due.length === 0) return document;
        // Another commit may have come since, whose effects are then pending.
        document = await applyAndReload(deps, document, due);
      }
      return undefined;
    },

    async change(deps, id, decide, options = {}) {
      const { withinMs, wait, committed, ...commitOptions } = options;
      const outcome = await retryOnConflict(
        async () => {
          const current = await root.load(deps, id);
          if (!current) return undefined;
          const decision = await decide(current);
          if (!decision || 'unchanged' in decision)
            return { document: current, effects: [], result: decision?.result, changed: false };
          const { effects: decided = [], result, ...change } = decision;
          const effects = decided.map(withId(deps));
          const added = effects as unknown as NewEffect<E>[];
          const document = await root.commit(deps, current, change, added, commitOptions);
          return { document, effects, result, changed: true };
        },
        deps,
        { ...(withinMs === undefined ? {} : { withinMs }), ...(wait ? { wait } : {}) },
      );
      if (!outcome) return undefined;
      const { document, changed, ...others } = outcome;
      if (!changed) return { document, ...others };
      committed?.(document);
      const due = dueOf(document);
      if (due.length === 0) return { document, ...others };
      const applied = await applyAndReload(deps, document, due);
      return { document: applied ?? { ...document, pending: [] }, ...others };
    },

    async changeOrCreate(deps, initial, decide, options) {
      const changed = await root.change(deps, initial._id, decide, options);
      if (changed) return changed;
      await root.create(deps, initial).catch((error: unknown) => {
        // Another request has just created it.
        if (!(error instanceof Conflict)) throw error;
      });
      return root.change(deps, initial._id, decide, options);
    },

    async create(deps, document, effects = [], { known, ...options } = {}) {
      const pending = effects.map(withId(deps));
      const insertions = insertionsOf(deps, document as T, pending);
      if (insertions && insertions.length > 0) {
        await stored(deps).bulkWrite(
          [{ insertOne: { document: document as T, along: insertions } }],
          options,
        );
        return document as T;
      }
      requireSmall(document._id, pending);
      const created = (pending.length > 0 ? { ...document, pending } : document) as unknown as T;
      await stored(deps).insertOne(created, options);
      return applyAndStrip(deps, created, dueOf(created), known);
    },

    commit(deps, current, change, effects = [], options = {}) {
      const added = effects.map(withId(deps));
      const after = knownAfter(current, change);
      const insertions = after && insertionsOf(deps, after, added);
      if (!insertions) return commitOnce(stored(deps), current, change, added, options);
      const along = [...(options.along ?? []), ...insertions];
      return commitOnce(stored(deps), current, change, [], { ...options, along });
    },

    async commitAlong(deps, current, decide, options) {
      const decision = writesAlong(definition.collection(deps)) ? await decide() : undefined;
      if (!decision) return undefined;
      const { effects: decided = [], along, result, ...change } = decision;
      const effects = decided.map(withId(deps));
      const added = effects as unknown as NewEffect<E>[];
      const document = await root.commit(deps, current, change, added, { ...options, along });
      return { document, effects, result };
    },

    applyPending: (deps, document, known) => applyAndStrip(deps, document, dueOf(document), known),

    applyDeferred(deps, document, known, only) {
      const chosen = pendingOf(document).filter(
        ({ id, kind }) => deferred.has(kind) && (only?.includes(id) ?? true),
      );
      return applyAndStrip(deps, document, chosen, known);
    },

    async commitTogether(deps, changes, applyToAll) {
      const decided = changes.map(({ current, decision: { effects = [], ...change } }) => {
        const pending = effects.map(withId(deps));
        requireFew(current, pending);
        return { current, change, pending };
      });
      const operations = decided.map(({ current, change, pending }) => ({
        updateOne: { filter: byVersion(current), update: versionedUpdate(change, pending) },
      }));
      const { matchedCount } = await stored(deps).bulkWrite(operations, { ordered: false });
      if (matchedCount < changes.length) return false;
      const effects = decided.flatMap(({ pending }) => pending);
      await applyToAll(effects);
      await removeFromAll(deps, { _id: { $in: changes.map(({ current }) => current._id) } }, effects);
      return true;
    },

    async changeMany(deps, filter, change, effect, applyToAll) {
      const pending = withId(deps)(effect);
      requireSmall('several documents', [pending]);
      const { matchedCount } = await stored(deps).updateMany(filter, versionedUpdate(change, [pending]));
      if (matchedCount === 0) return 0;
      await applyToAll();
      await removeFromAll(deps, { 'pending.id': pending.id }, [pending]);
      return matchedCount;
    },

    delete(deps, id, decide = () => true, options = {}) {
      return retryOnConflict(
        async (): Promise<Deletion> => {
          const current = await root.load(deps, id);
          if (!current) return 'missing';
          if (!(await decide(current))) return 'kept';
          const { version } = current;
          const { deletedCount } = await stored(deps).deleteOne({
            _id: id,
            version,
          } as Filter<Aggregate> as Filter<T>);
          if (deletedCount === 0) throw new Conflict('version');
          return 'deleted';
        },
        deps,
        options,
      );
    },

    async sweep(deps) {
      const errors: unknown[] = [];
      let swept = 0;
      const applyToBatch = async (batch: readonly T[]) => {
        const outcomes = await Promise.allSettled(
          batch.map(async (document) => root.applyDeferred(deps, await root.applyPending(deps, document))),
        );
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') swept++;
          else errors.push(outcome.reason);
        }
      };
      let batch: T[] = [];
      // Not $exists: an empty list leaves an entry in some engines' indexes, and a bound passes it over.
      const filter = { 'pending.id': { $gt: '' } } as Filter<Aggregate> as Filter<T>;
      for await (const document of stored(deps).find(filter)) {
        batch.push(document);
        if (batch.length < SWEEP_BATCH) continue;
        await applyToBatch(batch);
        batch = [];
      }
      await applyToBatch(batch);
      if (errors.length > 0)
        throw new AggregateError(
          errors,
          `The pending effects of ${errors.length} documents were not applied`,
        );
      return swept;
    },
  };
  return root;
}

function byId<T extends Aggregate>(_id: string): Filter<T> {
  return { _id } as Filter<Aggregate> as Filter<T>;
}

/** The update that removes effects by their ids. */
function withoutEffects<T extends Aggregate>(ids: readonly string[]): Update<T> {
  const update: Update<Aggregate> = { $pull: { pending: { id: { $in: ids } } } };
  return update as Update<T>;
}

/** Consecutive effects of one kind. */
function groupsOf<E extends PendingEffect>(effects: readonly E[]): readonly (readonly [E, ...E[]])[] {
  const groups: [E, ...E[]][] = [];
  for (const effect of effects) {
    const last = groups.at(-1);
    if (last?.[0].kind === effect.kind) last.push(effect);
    else groups.push([effect]);
  }
  return groups;
}
