import { type AggregateDeps, changeAggregates, defineAggregate } from '@steward/service';
import type { Filter } from '@steward/store';
import type { Deps } from './deps.ts';
import { findListed, type MatchDeps, recordMatch } from './hashes/match-upload.ts';
import {
  findableOf,
  type Media,
  type MediaEffect,
  type QuarantineChanged,
  quarantineChange,
  SYSTEM,
} from './model/media.ts';
import { appendChanges } from './quarantine-changes.ts';
import { hashesOf, isInQuarantine, QUARANTINED, READABLE, unchangedOf } from './same-content.ts';

/** The maximum number of media in one change: few, so that other requests do not wait for it. */
export const BATCH_SIZE = 24;

type QuarantineDeps = Pick<Deps, 'media' | 'quarantineChanges'> & MatchDeps & AggregateDeps;

/** Media that are few enough for one change. */
export interface MediaBatch {
  /** At most `BATCH_SIZE`, with all media of the same content. */
  readonly keys: readonly string[];
  /** A filter on these media. */
  readonly which: Filter<Media>;
}

/** Media as an aggregate whose uploads and changes of the quarantine have effects. */
const media = defineAggregate<Media, MediaEffect, QuarantineDeps>({
  collection: (deps) => deps.media,
  effects: { quarantine_changed: completeChange, uploaded: checkUpload },
});

/**
 * Quarantines media, or ends their quarantine, and appends the changes to the list of changes. Media of the same content
 * that are uploaded at the same time are changed, too.
 *
 * Orders for one content repeat until they find no medium left to change. So when several run concurrently, all media are
 * as the one wants them that ends last.
 *
 * @param quarantinedBy the administrator, or null for no quarantine
 * @returns the number of changed media
 */
export async function changeQuarantine(
  deps: QuarantineDeps,
  { keys, which }: MediaBatch,
  quarantinedBy: string | null,
): Promise<number> {
  let others = 0;
  const changed = await changeFew(deps, keys, which, quarantinedBy, async () => {
    // Also those that another administrator has quarantined in between, but not those of a later release.
    const changedTo = quarantinedBy === null ? { quarantined_by: null } : QUARANTINED;
    const done = { _id: { $in: keys }, ...changedTo };
    const hashes = hashesOf(await deps.media.find(done, { projection: { sha256: 1 } }).toArray());
    for (;;) {
      const some = await changeSome(deps, hashes, quarantinedBy);
      if (some === undefined) return;
      others += some;
    }
  });
  return changed + others;
}

/**
 * Inserts an upload, and quarantines it if its content is in quarantine, or listed as known-bad.
 *
 * The check comes after the insertion. A quarantine that ends after the insertion finds the upload. One that ended before
 * has quarantined a medium that the check finds, unless it was released or deleted again.
 */
export async function insertUpload(deps: QuarantineDeps, upload: Omit<Media, 'pending'>): Promise<void> {
  // Nothing can show an upload before its id is known.
  const shown = upload.unchecked ? {} : { shown: false };
  const found = { ...upload, ...findableOf(upload), ...shown };
  await media.create(deps, found, [{ kind: 'uploaded' }]);
}

/** Applies the effects that crashed processes left: completes changes of the quarantine, and checks uploads. */
export function sweepQuarantine(deps: QuarantineDeps): Promise<number> {
  return media.sweep(deps);
}

function changeFew(
  deps: QuarantineDeps,
  keys: readonly string[],
  which: Filter<Media>,
  by: string | null,
  andThen?: () => Promise<void>,
): Promise<number> {
  return media.changeMany(
    deps,
    { $and: [{ _id: { $in: keys } }, which] },
    quarantineChange(by),
    { kind: 'quarantine_changed', by },
    async () => {
      await appendChanges(deps, keys);
      await andThen?.();
    },
  );
}

/** Changes media of contents that are unchanged; returns their number, `undefined` if there are none. */
async function changeSome(
  deps: QuarantineDeps,
  hashes: readonly string[],
  by: string | null,
  except?: string,
): Promise<number | undefined> {
  if (hashes.length === 0) return undefined;
  const unchanged = await unchangedOf(deps, hashes, by, BATCH_SIZE);
  const keys = unchanged.map(({ _id }) => _id).filter((key) => key !== except);
  return keys.length === 0 ? undefined : changeFew(deps, keys, by === null ? QUARANTINED : READABLE, by);
}

/**
 * Completes a change that a crash interrupted, as long as no later order has changed the medium again. If one does so in
 * between, it may have ended before the last change of other media, which then follow the medium once more.
 */
async function completeChange(
  deps: QuarantineDeps,
  { _id, sha256 }: Media,
  effects: readonly QuarantineChanged[],
): Promise<void> {
  await appendChanges(deps, [_id]);
  const by = effects.at(-1)?.by;
  if (by === undefined || sha256 === null) return;
  if (!(await changeOthers(deps, { _id, sha256 }, by))) return;
  const now = (await stateOf(deps, _id))?.quarantined_by;
  if (now !== undefined && now !== by) await changeOthers(deps, { _id, sha256 }, now);
}

/** Changes other media of the content of a medium, as long as the medium is so; returns whether it changed any. */
async function changeOthers(
  deps: QuarantineDeps,
  { _id, sha256 }: { readonly _id: string; readonly sha256: string },
  by: string | null,
): Promise<boolean> {
  for (let hasChanged = false; ; hasChanged = true) {
    const current = await stateOf(deps, _id);
    // A later quarantine would not have changed a medium that is protected now.
    if (current?.quarantined_by !== by || (by === null && current.safe_from_quarantine)) return hasChanged;
    if ((await changeSome(deps, [sha256], by, _id)) === undefined) return hasChanged;
  }
}

function stateOf({ media: collection }: QuarantineDeps, _id: string): Promise<Media | null> {
  return collection.findOne({ _id }, { projection: { quarantined_by: 1, safe_from_quarantine: 1 } });
}

/**
 * Quarantines an upload if its content is known-bad. The list is read after the insertion, so that an upload at the same time as an
 * addition to the list is found either here or by the task that applies the addition to existing media.
 *
 * @returns whether its content is listed
 */
async function quarantineListed(deps: QuarantineDeps, upload: Media, sha256: string): Promise<boolean> {
  const { _id, user_id, origin, media_id: mediaId } = upload;
  const listed = await findListed(deps, sha256);
  if (listed === null) return false;
  await recordMatch(deps, listed, { userId: user_id ?? '', origin, mediaId, outcome: 'quarantined' });
  const unchecked = { _id, ...READABLE, 'pending.kind': 'uploaded' } as const;
  await changeAggregates(deps.media, unchecked, quarantineChange(SYSTEM));
  await appendChanges(deps, [_id]);
  return true;
}

/**
 * Quarantines an upload if its content is in quarantine. A check follows each change, because an order that ended before
 * the change has not found the medium as it is afterwards.
 */
async function checkUpload(deps: QuarantineDeps, upload: Media): Promise<void> {
  const { _id, sha256, quarantined_by } = upload;
  if (sha256 === null || (await quarantineListed(deps, upload, sha256))) return;
  const isTaken = () => isInQuarantine(deps, sha256, _id);
  if (quarantined_by === null && !(await isTaken())) return;
  const unchecked = { _id, ...READABLE, 'pending.kind': 'uploaded' } as const;
  do {
    await changeAggregates(deps.media, unchecked, quarantineChange(SYSTEM));
    if (await isTaken()) break;
    await changeAggregates(deps.media, { _id, quarantined_by: SYSTEM }, quarantineChange(null));
  } while (await isTaken());
  await appendChanges(deps, [_id]);
}
