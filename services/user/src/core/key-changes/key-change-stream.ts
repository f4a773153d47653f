import { accountTopic } from '@steward/events';
import { type AggregateDeps, defineAggregate, type PendingEffect } from '@steward/service';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { KEY_CHANGES, type KeyChange, type KeyChangeStream, keyChangeId } from '../model/key-change.ts';

/** The pending effect of a change: its document has yet to get its position. */
interface Announcement extends PendingEffect {
  readonly kind: 'changed';
  readonly user_id: string;
  /** See `KeyChange`. */
  readonly viewer: string;
  readonly position: number;
}

/** The dependencies of the functions below. */
export type StreamDeps = AggregateDeps & Pick<Deps, 'keyChanges' | 'keyChangeStreams'>;

/** The aggregate that orders the changes of the keys of all users. */
export const keyChangeAggregate = defineAggregate<KeyChangeStream, Announcement, StreamDeps>({
  collection: (deps) => deps.keyChangeStreams,
  effects: {
    async changed(deps, _, announcements) {
      for (const { user_id, viewer, position } of announcements) {
        await moveTo(deps, { _id: keyChangeId(user_id, viewer), user_id, viewer, position });
      }
    },
  },
});

async function moveTo({ keyChanges }: StreamDeps, change: KeyChange): Promise<void> {
  const { _id, position, ...named } = change;
  const update = { $max: { position }, $setOnInsert: named };
  try {
    await keyChanges.updateOne({ _id }, update, { upsert: true });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // A concurrent process has just inserted it.
    await keyChanges.updateOne({ _id }, update);
  }
}

/** The dependencies of `announceKeyChange`. */
export type AnnounceDeps = StreamDeps & Pick<Deps, 'bus' | 'rooms'>;

/**
 * Gives a change of a user's keys, which has been written, the position after those of all changes announced before: a
 * reader of the changes up to a position misses none. Clients that wait for it are woken.
 *
 * @param viewer the only user who sees the change; empty when all do who share an encrypted room
 */
export async function announceKeyChange(deps: AnnounceDeps, userId: string, viewer = ''): Promise<void> {
  await keyChangeAggregate.changeOrCreate(deps, { _id: KEY_CHANGES, version: 0 }, ({ version }) => ({
    effects: [{ kind: 'changed', user_id: userId, viewer, position: version + 1 }],
  }));
  deps.bus.notify(accountTopic(viewer === '' ? userId : viewer));
  // Clients that are not woken learn of the change when their wait ends.
  if (viewer === '') await deps.rooms.wakeWatchersOf(userId).catch(() => {});
}

/** The most changes that are read at once. */
const PAGE = 2_000;

/** The users whose keys have changed, and the position up to which these are all. */
export interface KeyChangesRead {
  readonly userIds: string[];
  readonly position: bigint;
  /** Whether there may be later changes. */
  readonly more: boolean;
}

/** Reads the users whose keys have changed for a viewer since a position; none without a position. */
export async function readKeyChanges(
  deps: StreamDeps,
  viewer: string,
  since: number | undefined,
): Promise<KeyChangesRead> {
  const newest = (await keyChangeAggregate.load(deps, KEY_CHANGES))?.version ?? 0;
  if (since === undefined || newest <= since) return { userIds: [], position: BigInt(newest), more: false };
  const read = (of: string, until: number) =>
    deps.keyChanges
      .find({ viewer: of, position: { $gt: since, $lte: until } }, { sort: { position: 1 }, limit: PAGE })
      .toArray();
  const ofAll = await read('', newest);
  const ofViewer = await read(viewer, newest);
  const ends = [ofAll, ofViewer].flatMap((page) => (page.length < PAGE ? [] : (page.at(-1)?.position ?? [])));
  const position = Math.min(newest, ...ends);
  const userIds = [...ofAll, ...ofViewer].filter((change) => change.position <= position);
  return {
    userIds: [...new Set(userIds.map(({ user_id }) => user_id))],
    position: BigInt(position),
    more: position < newest,
  };
}
