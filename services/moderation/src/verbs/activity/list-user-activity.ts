import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import {
  ACTIVITY_TYPES,
  type ActivityType,
  formatCursor,
  mergeStreams,
  parseCursor,
  readStreams,
  STREAMS,
  type StreamName,
} from '@steward/activity';
import type {
  ListUserActivityRequest,
  ListUserActivityResponseSchema,
} from '@steward/proto/steward/moderation/v1/activity_pb.ts';
import { hasScope, requester } from '@steward/rpc';
import { type ActivityDeps, activityStreams } from '../../core/activity/streams.ts';
import type { Deps } from '../../core/deps.ts';

const DEFAULT_LIMIT = 100n;
const MAX_LIMIT = 1_000n;

const TYPES = Object.keys(ACTIVITY_TYPES) as readonly ActivityType[];
const NAMES = Object.keys(STREAMS) as readonly StreamName[];

/** Lists what a user did and what concerned the user, newest first, from one index range of each stream. */
export async function listUserActivity(
  deps: ActivityDeps & Pick<Deps, 'clock' | 'activity'>,
  { userId, type, from, limit: requested = DEFAULT_LIMIT }: ListUserActivityRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ListUserActivityResponseSchema>> {
  const caller = requester(context);
  const limit = Number(requested > MAX_LIMIT ? MAX_LIMIT : requested);
  const cursor = from === undefined ? { until: deps.clock.now(), places: new Map() } : parseCursor(from);
  const wanted = TYPES.filter((each) => type.length === 0 || type.includes(each));
  const omitted = wanted.filter((each) => {
    const scope = ACTIVITY_TYPES[each];
    return scope !== null && !hasScope(caller, scope);
  });
  if (limit === 0) return { omitted };
  const query = {
    userId,
    ...cursor,
    // One more than the page, which shows whether another page follows.
    limit: limit + 1,
    streams: NAMES.filter((name) => wanted.includes(STREAMS[name]) && !omitted.includes(STREAMS[name])),
    rights: caller,
  };
  const [own, remote] = await Promise.all([
    readStreams(activityStreams(deps), query),
    deps.activity.read(query),
  ]);
  const { entries, places, hasMore } = mergeStreams(new Map([...own, ...remote]), cursor.places, limit);
  return {
    activity: entries.map(({ stream, place, entry }) => ({
      ...entry,
      type: STREAMS[stream],
      ts: BigInt(place.ts),
    })),
    ...(hasMore ? { nextToken: formatCursor({ until: cursor.until, places }) } : {}),
    omitted,
  };
}
