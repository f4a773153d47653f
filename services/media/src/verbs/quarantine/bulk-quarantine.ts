import { refuse } from '@steward/errors';
import type { Filter } from '@steward/store';
import { isOpen, type Task } from '@steward/tasks';
import { changeQuarantine } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import type { Media } from '../../core/model/media.ts';

/** The name of tasks that quarantine a user's media; their key is the user id. */
export const QUARANTINE_USER_MEDIA = 'media.quarantine_user';

/** The name of tasks that quarantine the media of a room; their key is the room id. */
export const QUARANTINE_ROOM_MEDIA = 'media.quarantine_room';

/** A quarantine of possibly many media. */
export interface BulkQuarantine {
  readonly kind: typeof QUARANTINE_USER_MEDIA | typeof QUARANTINE_ROOM_MEDIA;
  readonly key: string;
  /** The administrator who requests it, and whose id the media record. */
  readonly requestedBy: string;
  /** How long the caller waits at most, in milliseconds. */
  readonly maxWaitMs: number;
}

/** Media that are few enough for one change. */
export interface FewMedia {
  /** At most `BATCH_SIZE`. */
  readonly keys: readonly string[];
  readonly which: Filter<Media>;
}

/**
 * Quarantines media: few immediately, and many in a task. While a task for the same user or room runs, it waits for
 * that task, so that a request repeated after a time-out returns the number of the first.
 *
 * @param findFew returns them if they are few
 * @returns how many media were touched
 * @throws refuse.unavailable when it takes longer than the caller waits
 */
export async function quarantineAll(
  deps: Deps,
  bulk: BulkQuarantine,
  findFew: () => Promise<FewMedia | undefined>,
  signal: AbortSignal,
): Promise<number> {
  const few = (await openTaskOf(deps, bulk)) ? undefined : await findFew();
  if (few) return changeQuarantine(deps, few.keys, few.which, bulk.requestedBy);
  return quarantineInBulk(deps, bulk, signal);
}

/**
 * Starts a quarantine of many media, unless one of the same user or room runs, and waits until it ends. The quarantine
 * continues after the caller stops waiting, and after a crash of this process.
 *
 * @returns how many media it touched
 * @throws refuse.unavailable when it takes longer than the caller waits
 */
export async function quarantineInBulk(
  deps: Pick<Deps, 'tasks'>,
  bulk: BulkQuarantine,
  signal: AbortSignal,
): Promise<number> {
  const { kind, key, requestedBy, maxWaitMs } = bulk;
  const id =
    (await openTaskOf(deps, bulk))?._id ??
    (await deps.tasks.create({ kind, key, params: null, requestedBy }));
  const time = AbortSignal.timeout(maxWaitMs);
  const ended = await deps.tasks.ended(id, AbortSignal.any([signal, time])).catch((error: unknown) => {
    if (time.aborted) return undefined;
    throw error;
  });
  if (!ended) throw refuse.unavailable('The quarantine goes on; asking for the same again waits for it');
  if (ended.error !== undefined) throw refuse.unknown(ended.error);
  return ended.done;
}

/** Returns the running task of a quarantine, unless it is being cancelled. */
async function openTaskOf(
  { tasks }: Pick<Deps, 'tasks'>,
  { kind, key }: BulkQuarantine,
): Promise<Task | undefined> {
  return (await tasks.list(key, kind)).find((task) => isOpen(task) && task.cancel === undefined);
}
