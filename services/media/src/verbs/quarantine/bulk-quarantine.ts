import { refuse } from '@steward/errors';
import { isOpen, type Task } from '@steward/tasks';
import { changeQuarantine, type MediaBatch } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';

/** The name of tasks that quarantine a user's media; their key is the user id. */
export const QUARANTINE_USER_MEDIA = 'media.quarantine_user';

/** The name of tasks that quarantine the media of a room; their key is the room id. */
export const QUARANTINE_ROOM_MEDIA = 'media.quarantine_room';

/** The name of tasks that quarantine the media of a content; their key is the hash. */
export const QUARANTINE_HASH = 'media.quarantine_hash';

/** The name of tasks that release the media of a content; their key is the hash. */
export const UNQUARANTINE_HASH = 'media.unquarantine_hash';

/** The kinds of tasks with the same keys, of which the later one decides. */
const KINDS_OF_KEY = {
  [QUARANTINE_USER_MEDIA]: [QUARANTINE_USER_MEDIA],
  [QUARANTINE_ROOM_MEDIA]: [QUARANTINE_ROOM_MEDIA],
  [QUARANTINE_HASH]: [QUARANTINE_HASH, UNQUARANTINE_HASH],
  [UNQUARANTINE_HASH]: [QUARANTINE_HASH, UNQUARANTINE_HASH],
} as const;

/** A quarantine, or a release, of possibly many media. */
export interface BulkQuarantine {
  readonly kind: keyof typeof KINDS_OF_KEY;
  readonly key: string;
  /** The administrator who requests it, and whose id quarantined media record. */
  readonly requestedBy: string;
  /** How long the caller waits at most, in milliseconds. */
  readonly maxWaitMs: number;
}

/**
 * Quarantines or releases media: few immediately, and many in a task. While a task for the same key runs, it waits for
 * that task, so that a request repeated after a time-out returns the number of the first; or, if that task does the
 * opposite, or is another caller's, for a task after it.
 *
 * @param findIfFew returns them if they are few
 * @returns how many media were touched
 * @throws refuse.unavailable when it takes longer than the caller waits
 */
export async function quarantineAll(
  deps: Deps,
  bulk: BulkQuarantine,
  findIfFew: () => Promise<MediaBatch | undefined>,
  signal: AbortSignal,
): Promise<number> {
  const few = (await lastOpenTaskOf(deps, bulk)) ? undefined : await findIfFew();
  if (few) return changeQuarantine(deps, few, bulk.kind === UNQUARANTINE_HASH ? null : bulk.requestedBy);
  return quarantineInBulk(deps, bulk, signal);
}

/**
 * Starts a quarantine or a release of many media, unless the same one runs for the same caller, and waits until it ends. It continues after
 * the caller stops waiting, and after a crash of this process.
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
  const last = await lastOpenTaskOf(deps, bulk);
  // The task of another caller can leave out media which this caller may act against.
  const id =
    last?.kind === kind && last.requested_by === requestedBy && last.cancel === undefined
      ? last._id
      : await deps.tasks.create({ kind, key, params: null, requestedBy });
  const ended = await deps.tasks.endedWithin(id, maxWaitMs, signal);
  if (!ended) {
    const what = kind === UNQUARANTINE_HASH ? 'release' : 'quarantine';
    throw refuse.unavailable(`The ${what} is still running; repeat the request to wait for it`);
  }
  if (ended.error !== undefined) throw refuse.unknown(ended.error);
  return ended.done;
}

/**
 * Quarantines media for an order that does not wait: few immediately, and many in a task, which has the given id.
 *
 * @returns the id of the task, also if it was created before; `undefined` if there is none
 */
export async function quarantineByOrder(
  deps: Deps,
  { kind, key, requestedBy }: Omit<BulkQuarantine, 'maxWaitMs'>,
  taskId: string,
  findIfFew: () => Promise<MediaBatch | undefined>,
): Promise<string | undefined> {
  if (await deps.tasks.find(taskId)) return taskId;
  const few = (await lastOpenTaskOf(deps, { kind, key })) ? undefined : await findIfFew();
  if (few) {
    await changeQuarantine(deps, few, requestedBy);
    return undefined;
  }
  return deps.tasks.createOnce({ id: taskId, kind, key, params: null, requestedBy });
}

/** Returns the last task with the key of a quarantine that has not ended. */
async function lastOpenTaskOf(
  { tasks }: Pick<Deps, 'tasks'>,
  { kind, key }: Pick<BulkQuarantine, 'kind' | 'key'>,
): Promise<Task | undefined> {
  const ofKinds = await Promise.all(KINDS_OF_KEY[kind].map((each) => tasks.list(key, each)));
  return ofKinds
    .flat()
    .filter(isOpen)
    .toSorted((a, b) => b.order - a.order)
    .at(0);
}
