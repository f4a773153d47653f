import {
  type Along,
  type Collection,
  Conflict,
  type Filter,
  type Update,
  type WriteOptions,
} from '@steward/store';
import {
  type Aggregate,
  MAX_PENDING_EFFECT_BYTES,
  MAX_PENDING_EFFECTS,
  type PendingEffect,
} from './aggregate.ts';

/** A change of an aggregate; each part means the same as the update operator of its name. */
export interface Change<T> {
  readonly set?: Update<T>['$set'];
  readonly unset?: Update<T>['$unset'];
  readonly inc?: Update<T>['$inc'];
  readonly push?: Update<T>['$push'];
  readonly pull?: Update<T>['$pull'];
  readonly addToSet?: Update<T>['$addToSet'];
}

/** The options of a commit. */
export interface CommitOptions extends WriteOptions, Along {}

/**
 * Changes an aggregate in one atomic step, on the condition that it still has the version of `current`, and adds to
 * its pending effects.
 *
 * @returns the document after the commit
 * @throws Conflict on `version` when another commit has changed the document since, or it was deleted
 * @throws RangeError when more than `MAX_PENDING_EFFECTS` would be pending, or one is larger than
 *   `MAX_PENDING_EFFECT_BYTES`
 */
export async function commitOnce<T extends Aggregate>(
  collection: Collection<T>,
  current: T,
  change: Change<T>,
  effects: readonly PendingEffect[],
  options: CommitOptions = {},
): Promise<T> {
  requireFew(current, effects);
  const changed = await collection.findOneAndUpdate(byVersion(current), versionedUpdate(change, effects), {
    returnDocument: 'after',
    ...options,
  });
  if (!changed) throw new Conflict('version');
  return changed;
}

/** Returns the update that applies a change, increments the version and adds pending effects. */
export function versionedUpdate<T extends Aggregate>(
  change: Change<T>,
  effects: readonly PendingEffect[],
): Update<T> {
  const update: Record<string, unknown> = { $inc: { ...change.inc, version: 1 } };
  if (change.set) update.$set = change.set;
  if (change.unset) update.$unset = change.unset;
  if (change.pull) update.$pull = change.pull;
  if (change.addToSet) update.$addToSet = change.addToSet;
  if (change.push || effects.length > 0)
    update.$push = { ...change.push, ...(effects.length > 0 ? { pending: { $each: effects } } : {}) };
  return update as Update<T>;
}

/** The filter for a document that still has the version of `current`. */
export function byVersion<T extends Aggregate>({ _id, version }: T): Filter<T> {
  return { _id, version } as Filter<Aggregate> as Filter<T>;
}

/** @throws RangeError when more than `MAX_PENDING_EFFECTS` would be pending, or one is too large */
export function requireFew(current: Aggregate, effects: readonly PendingEffect[]): void {
  const pending = (current.pending?.length ?? 0) + effects.length;
  if (pending > MAX_PENDING_EFFECTS)
    throw new RangeError(`${current._id} would have ${pending} pending effects`);
  requireSmall(current._id, effects);
}

/** @throws RangeError when an effect is larger than `MAX_PENDING_EFFECT_BYTES` */
export function requireSmall(id: string, effects: readonly PendingEffect[]): void {
  for (const effect of effects) {
    const bytes = Buffer.byteLength(JSON.stringify(effect));
    if (bytes > MAX_PENDING_EFFECT_BYTES)
      throw new RangeError(`The pending effect ${effect.kind} of ${id} has ${bytes} bytes`);
  }
}
