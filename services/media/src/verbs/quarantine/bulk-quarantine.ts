import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';

/** The name of tasks that put a user's media into quarantine; their key is the user id. */
export const QUARANTINE_USER_MEDIA = 'media.quarantine_user';

/** The name of tasks that put the media of a room into quarantine; their key is the room id. */
export const QUARANTINE_ROOM_MEDIA = 'media.quarantine_room';

/** A quarantine of many media. */
export interface BulkQuarantine {
  readonly kind: typeof QUARANTINE_USER_MEDIA | typeof QUARANTINE_ROOM_MEDIA;
  readonly key: string;
  /** Who asks for it, and is then said to have done it. */
  readonly requestedBy: string;
  /** How long it is waited for at most, in milliseconds. */
  readonly maxWaitMs: number;
}

/**
 * Begins a quarantine of many media, and waits until it is done. It goes on when nobody waits any more, also
 * after the death of this process. Quarantines of the same user or room are made one after the other.
 *
 * @returns how many media it touched
 * @throws refuse.unavailable when it takes longer than is waited for
 */
export async function quarantineInBulk(
  deps: Pick<Deps, 'tasks'>,
  { kind, key, requestedBy, maxWaitMs }: BulkQuarantine,
  signal: AbortSignal,
): Promise<number> {
  const id = await deps.tasks.create({ kind, key, params: null, requestedBy });
  const time = AbortSignal.timeout(maxWaitMs);
  const ended = await deps.tasks.ended(id, AbortSignal.any([signal, time])).catch((error: unknown) => {
    if (time.aborted) return undefined;
    throw error;
  });
  if (!ended) throw refuse.unavailable('The quarantine goes on; asking for the same again waits for it');
  if (ended.error !== undefined) throw refuse.unknown(ended.error);
  return ended.done;
}
