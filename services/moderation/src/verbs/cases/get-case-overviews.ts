import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  CaseOverviewSchema,
  GetCaseOverviewsRequest,
  GetCaseOverviewsResponseSchema,
} from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { readComments } from '../../core/cases/read-comments.ts';
import { UNRESOLVED } from '../../core/model/case.ts';
import { namedCases } from './named-cases.ts';

/** Of how many reports of a case the reasons are read, the latest ones, and how many different ones are returned. */
const READ_REPORTS = 20;
const REASONS = 3;
/** Of how many cases about a user the rooms are counted. */
const READ_CASES = 100;

/** Returns what a list says of cases: the reasons of their reporters, and how much else is about the same user. */
export async function getCaseOverviews(
  deps: CaseDeps,
  { caseId }: GetCaseOverviewsRequest,
): Promise<MessageInitShape<typeof GetCaseOverviewsResponseSchema>> {
  const found = await namedCases(deps, caseId);
  const users = [...new Set(found.flatMap(({ user_id }) => user_id ?? []))];
  const [reasons, ofUsers] = await Promise.all([
    reasonsOf(
      deps,
      found.map(({ _id }) => _id),
    ),
    Promise.all(users.map(async (user) => [user, await casesAbout(deps, user)] as const)),
  ]);
  const byUser = new Map(ofUsers);
  const overviews = found.map(({ _id, user_id: user }) => {
    const about = user === null ? undefined : byUser.get(user);
    const overview: MessageInitShape<typeof CaseOverviewSchema> = {
      reasons: [...(reasons.get(_id) ?? [])],
      ...about,
    };
    return [_id, overview] as const;
  });
  return { cases: Object.fromEntries(overviews) };
}

/** The different reasons of the last reports of each case, the latest first. */
async function reasonsOf(
  deps: CaseDeps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const reports = await Promise.all(
    ids.map((id) =>
      deps.inbox
        .find(
          { case: id },
          { sort: { received_ts: -1, _id: -1 }, limit: READ_REPORTS, projection: { case: 1 } },
        )
        .toArray(),
    ),
  );
  const comments = await readComments(
    deps,
    reports.flat().map(({ _id }) => _id),
  );
  return new Map(
    ids.map((id, index) => {
      const given = (reports[index] ?? []).flatMap(({ _id }) => comments.get(_id)?.reason || []);
      return [id, [...new Set(given)].slice(0, REASONS)];
    }),
  );
}

/** How many unresolved cases are about a user, and in how many rooms. */
async function casesAbout(
  { cases }: CaseDeps,
  user: string,
): Promise<{ readonly userCases: bigint; readonly userRooms: bigint }> {
  const counted = await Promise.all(
    UNRESOLVED.map((state) => cases.countDocuments({ state, user_id: user })),
  );
  const read = await Promise.all(
    UNRESOLVED.map((state) =>
      cases.find({ state, user_id: user }, { limit: READ_CASES, projection: { room_id: 1 } }).toArray(),
    ),
  );
  const some = read.flat().slice(0, READ_CASES);
  return {
    userCases: BigInt(counted.reduce((sum, count) => sum + count, 0)),
    userRooms: BigInt(new Set(some.flatMap(({ room_id }) => room_id ?? [])).size),
  };
}
