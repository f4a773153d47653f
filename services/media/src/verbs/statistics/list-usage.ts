import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type {
  ListUsageRequest,
  ListUsageResponseSchema,
} from '@steward/proto/steward/media/v1/statistics_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../core/page.ts';
import { type TimeWindow, usageIn } from './usage-in-window.ts';
import { type FoundUsage, orderOf, type UsagePage, type UsageRow, withMedia } from './usage-query.ts';

/** The fields behind the documented sort keys. */
const SORT_FIELDS: Readonly<Record<string, keyof UsageRow>> = {
  user_id: '_id',
  displayname: 'displayname',
  media_length: 'length',
  media_count: 'count',
};

/** Returns a page of the users who have media (behaviour.md 6.1). */
export async function listUsage(
  deps: Deps,
  request: ListUsageRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ListUsageResponseSchema>> {
  const fromTs = request.fromTs ?? 0n;
  const { untilTs } = request;
  if (untilTs !== undefined && untilTs <= fromTs) {
    throw refuse.invalidParam("'until_ts' must be later than 'from_ts'");
  }
  raiseDeferred(context);
  const from = clampToSafe(request.from ?? 0n);
  const limit = Math.min(clampToSafe(request.limit ?? BigInt(DEFAULT_LIMIT)), MAX_LIMIT);
  const page: UsagePage = {
    sortBy: SORT_FIELDS[request.orderBy ?? 'user_id'] ?? '_id',
    direction: request.dir === 'b' ? -1 : 1,
    from,
    limit,
    term: request.searchTerm,
  };
  const window: TimeWindow = {
    fromMs: clampToSafe(fromTs),
    untilMs: untilTs === undefined ? undefined : clampToSafe(untilTs),
  };
  const isWhole = window.fromMs === 0 && window.untilMs === undefined;
  const { rows, total } = isWhole ? await usageInAll(deps, page) : await usageIn(deps, page, window);
  return {
    users: rows.map(({ _id, displayname, count, length }) => ({
      userId: _id,
      displayname: displayname ?? undefined,
      mediaCount: BigInt(count),
      mediaLength: BigInt(length),
    })),
    total: BigInt(total),
    ...(from + limit < total ? { nextToken: BigInt(from + rows.length) } : {}),
  };
}

async function usageInAll({ usage }: Pick<Deps, 'usage'>, page: UsagePage): Promise<FoundUsage> {
  const { sortBy, direction, from, limit, term } = page;
  const filter = withMedia(term);
  const total =
    term === undefined ? ((await usage.tally()).get('some') ?? 0) : await usage.countDocuments(filter);
  if (limit === 0 || from >= total) return { rows: [], total };
  const sort = orderOf(sortBy, direction);
  const projection = { displayname: 1, count: 1, length: 1 } as const;
  return { rows: await usage.find(filter, { sort, skip: from, limit, projection }).toArray(), total };
}
