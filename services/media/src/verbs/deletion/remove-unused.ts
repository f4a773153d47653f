import type { Deps } from '../../core/deps.ts';
import { type Media, uriOf } from '../../core/model/media.ts';
import { removeMedia } from '../../core/remove-media.ts';
import { unusedMedia } from './unused-media.ts';

/** Excludes media that are quarantined or protected from quarantine. */
const UNTOUCHED = { quarantined_by: null, safe_from_quarantine: false } as const;

/** Selects media of this server. */
export interface UnusedLocal {
  /** Not used since this time, in milliseconds since the Unix epoch. */
  readonly beforeTs: number;
  /** Larger than this, in bytes. */
  readonly sizeGt: number;
  /** Whether avatars of accounts, rooms and members are kept. */
  readonly keepProfiles: boolean;
  /** The users whose media are kept; none unless given. */
  readonly except?: ReadonlySet<string>;
  /** Is told how many media were kept for that reason. */
  readonly onSkipped?: (count: number) => void;
}

/**
 * Deletes media of this server by last use and size, except quarantined and protected ones (behaviour.md 5.1).
 *
 * @returns batches of what it deletes, as they are deleted
 */
export async function* removeUnusedLocal(deps: Deps, unused: UnusedLocal): AsyncGenerator<readonly Media[]> {
  for await (const going of unusedLocal(deps, unused))
    yield going.length === 0 ? [] : await removeMedia(deps, keysOf(going), UNTOUCHED);
}

/** The media that `removeUnusedLocal` deletes, in batches. */
export async function* unusedLocal(
  deps: Deps,
  { beforeTs, sizeGt, keepProfiles, except = new Set(), onSkipped }: UnusedLocal,
): AsyncGenerator<readonly Media[]> {
  for await (const some of unusedMedia(deps, { origin: deps.serverName }, beforeTs)) {
    const large = some.filter(
      (medium) => medium.length > sizeGt && medium.quarantined_by === null && !medium.safe_from_quarantine,
    );
    const own = large.filter(({ user_id: userId }) => userId === null || !except.has(userId));
    onSkipped?.(large.length - own.length);
    yield keepProfiles ? await withoutAvatars(deps, own) : own;
  }
}

/**
 * Deletes media of other servers by last use, except quarantined ones (behaviour.md 5.2).
 *
 * @param beforeTs in milliseconds since the Unix epoch
 * @returns batches of what it deletes, as they are deleted
 */
export async function* removeUnusedRemote(deps: Deps, beforeTs: number): AsyncGenerator<readonly Media[]> {
  for await (const going of unusedRemote(deps, beforeTs))
    yield going.length === 0 ? [] : await removeMedia(deps, keysOf(going), { quarantined_by: null });
}

/** The media that `removeUnusedRemote` deletes, in batches. */
export async function* unusedRemote(deps: Deps, beforeTs: number): AsyncGenerator<readonly Media[]> {
  // Media of other servers have no uploader.
  for await (const some of unusedMedia(deps, { user_id: null }, beforeTs))
    yield some.filter(({ quarantined_by }) => quarantined_by === null);
}

function keysOf(media: readonly Media[]): readonly string[] {
  return media.map(({ _id }) => _id);
}

/** Returns the media that are not the avatar of an account, room or member. */
async function withoutAvatars(deps: Deps, media: readonly Media[]): Promise<readonly Media[]> {
  if (media.length === 0) return media;
  const uris = media.map(uriOf);
  const inUse = new Set(
    (await Promise.all([deps.users.avatarsInUse(uris), deps.rooms.avatarsInUse(uris)])).flat(),
  );
  return media.filter((medium) => !inUse.has(uriOf(medium)));
}
