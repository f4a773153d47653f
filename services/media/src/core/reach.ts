import { refuse } from '@steward/errors';
import { type Rights, strongerThan } from '@steward/rpc';
import type { Deps } from './deps.ts';
import type { Media } from './model/media.ts';
import { type Hashed, hashesOf } from './same-content.ts';

/** Of found media, those that a caller may act against. */
export type Reach = <M extends Hashed>(found: readonly M[]) => Promise<readonly M[]>;

type ReachDeps = Pick<Deps, 'media' | 'authority'>;

/**
 * Whose media a caller may act against: all but those of accounts over which the caller has no authority, and all of the same
 * content, because a quarantine concerns a content. An order about many media leaves them out.
 */
export async function reachOf(deps: ReachDeps, rights: Rights): Promise<Reach> {
  const stronger = await strongerThan(deps.authority, rights);
  return async (found) => {
    if (stronger.length === 0 || found.length === 0) return found;
    const ofStronger = { user_id: { $in: [...stronger] } };
    const projection = { sha256: 1 } as const;
    const ids = found.map(({ _id }) => _id);
    const named = await deps.media.find({ _id: { $in: ids }, ...ofStronger }, { projection }).toArray();
    const hashes = hashesOf(found);
    const same =
      hashes.length === 0
        ? []
        : await deps.media.find({ sha256: { $in: [...hashes] }, ...ofStronger }, { projection }).toArray();
    const theirs = new Set(named.map(({ _id }) => _id));
    const contents = new Set(hashesOf([...named, ...same]));
    return found.filter(({ _id, sha256 }) => !theirs.has(_id) && (sha256 === null || !contents.has(sha256)));
  };
}

/** As `reachOf`, for the caller who ordered a task. */
export async function reachOfTask(
  deps: ReachDeps,
  { requestedBy }: { readonly requestedBy: string },
): Promise<Reach> {
  return reachOf(deps, await deps.authority.rightsOf(requestedBy));
}

/** @throws refuse.forbidden when a caller may not act against one of some media */
export async function requireReach(
  deps: ReachDeps,
  rights: Rights,
  media: readonly Pick<Media, '_id' | 'sha256'>[],
): Promise<void> {
  const reach = await reachOf(deps, rights);
  if ((await reach(media)).length < media.length)
    throw refuse.forbidden('The media belong to an account with scopes that you do not have');
}
