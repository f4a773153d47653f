import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clampToSafe, parseUserId } from '@steward/kernel';
import type {
  DeleteUserMediaRequest,
  ListUserMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import type { Sort } from '@steward/store';
import type { Deps } from './deps.ts';
import type { Media } from './model/media.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from './page.ts';
import { exactUsage } from './usage/count-media.ts';

/** The fields behind the documented sort keys. */
const SORT_FIELDS: Readonly<Record<string, keyof Media & string>> = {
  media_id: '_id',
  upload_name: 'upload_name',
  created_ts: 'created_ts',
  last_access_ts: 'last_access_ts',
  media_length: 'length',
  media_type: 'type',
  quarantined_by: 'quarantined_by',
  safe_from_quarantine: 'safe_from_quarantine',
};

type Asked = Omit<ListUserMediaRequest | DeleteUserMediaRequest, '$typeName'>;

/** The part of a user's media that a request selects. */
export interface SelectedMedia {
  readonly media: readonly Media[];
  /** The total number of the user's media. */
  readonly total: number;
  /** The start of the next part; `undefined` after the last one. */
  readonly next: number | undefined;
}

/**
 * Selects media of a user, as listing and deleting them do (behaviour.md 4).
 *
 * @throws refuse.invalidParam for an invalid user id
 * @throws refuse.unknown for users of other servers
 * @throws refuse.notFound for unknown users
 */
export async function selectUserMedia(
  deps: Deps,
  request: Asked,
  context: HandlerContext,
): Promise<SelectedMedia> {
  const { userId } = request;
  const user = parseUserId(userId);
  if (!user) throw refuse.invalidParam('Not a user id');
  if (user.domain !== deps.serverName) throw refuse.unknown('This works with users of this server only');
  if (!(await deps.users.displaynames([userId])).has(userId)) throw refuse.notFound('User not found');
  raiseDeferred(context);

  const from = clampToSafe(request.from ?? 0n);
  const limit = Math.min(clampToSafe(request.limit ?? BigInt(DEFAULT_LIMIT)), MAX_LIMIT);
  await deps.accessTimes.flush();
  const total = (await exactUsage(deps, userId))?.count ?? 0;
  const media =
    limit === 0 || from >= total
      ? []
      : await deps.media.find({ user_id: userId }, { sort: sortOf(request), skip: from, limit }).toArray();
  return { media, total, next: from + limit < total ? from + media.length : undefined };
}

/** Returns the order: newest first by default; ties ascend in both directions. */
function sortOf({ orderBy, dir }: Asked): Sort<Media> {
  const newestFirst = orderBy === undefined && dir === undefined;
  const direction = newestFirst || dir === 'b' ? -1 : 1;
  // All media of a user are of this server, so they sort by their ids.
  const field = SORT_FIELDS[orderBy ?? 'created_ts'] ?? 'created_ts';
  return field === '_id' ? { _id: direction } : { [field]: direction, _id: 1 };
}
