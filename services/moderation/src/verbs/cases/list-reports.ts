import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  ListReportsRequest,
  ListReportsResponseSchema,
} from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import type { Collection, Doc, Filter } from '@steward/store';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { fromCaseFacet } from '../../core/cases/subject.ts';
import { CASE_STATES, type CaseState, type ReportCase } from '../../core/model/case.ts';
import type { InboxEntry } from '../../core/model/inbox-entry.ts';
import { fromToken, pageSize } from './page-token.ts';
import { mergedPage } from './read-page.ts';
import { toReports, toSummary } from './render-case.ts';
import { URGENCY, urgentPage } from './urgent-page.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** Stands for no assignee, and for no severity. */
const NONE = 'none';

type CaseOrder = 'first_received_ts' | 'last_received_ts' | 'report_count' | typeof URGENCY;

type Counts = Readonly<Record<CaseState, number>>;

/**
 * Returns a page of the reports, or of their cases.
 *
 * @throws refuse.invalidParam for a token of another list, and for parameters that exclude each other
 */
export async function listReports(
  deps: CaseDeps,
  request: ListReportsRequest,
): Promise<MessageInitShape<typeof ListReportsResponseSchema>> {
  const caseKey = caseKeyOf(request);
  if (caseKey && request.reporter !== undefined)
    throw refuse.invalidParam("'reporter' selects reports and not cases: leave out 'group'");
  const states = CASE_STATES.filter((state) => request.state.length === 0 || request.state.includes(state));
  const order = {
    direction: request.dir === 'f' ? 1 : -1,
    limit: pageSize(request.limit, DEFAULT_LIMIT, MAX_LIMIT),
  } as const;
  if (caseKey) {
    const filter: Filter<ReportCase> = { ...filterOf(request), ...receivedIn(request, 'last_received_ts') };
    const page =
      caseKey === URGENCY
        ? urgentPage(caseDocuments(deps), states, { ...order, filter, from: request.from })
        : mergedPage(caseDocuments(deps), states, {
            ...{ ...order, filter, key: caseKey },
            after: fromToken(request.from, caseKey),
          });
    const [{ rows, nextToken }, counts] = await Promise.all([
      page,
      countByState(caseDocuments(deps), request, filter),
    ]);
    return { cases: rows.map(toSummary), ...tokenOf(nextToken), ...totals(counts, states) };
  }
  const filter: Filter<InboxEntry> = {
    ...filterOf(request),
    ...(request.reporter === undefined ? {} : { reporter: request.reporter }),
    ...receivedIn(request, 'received_ts'),
  };
  const after = fromToken(request.from, 'received_ts');
  const [{ rows, nextToken }, counts] = await Promise.all([
    mergedPage(deps.inbox, states, { ...order, filter, key: 'received_ts', after }),
    countByState(deps.inbox, request, filter),
  ]);
  return { reports: await toReports(deps, rows), ...tokenOf(nextToken), ...totals(counts, states) };
}

/**
 * The field that the order of cases is by; undefined for a list of reports, which are in the order in which they were received.
 *
 * @throws refuse.invalidParam for reports in an order of cases
 */
function caseKeyOf({ group, orderBy = 'received_ts' }: ListReportsRequest): CaseOrder | undefined {
  const isCaseOrder = orderBy !== 'received_ts';
  if (group !== undefined) return isCaseOrder ? (orderBy as CaseOrder) : 'last_received_ts';
  if (isCaseOrder) throw refuse.invalidParam(`'${orderBy}' orders cases: it requires 'group'`);
  return undefined;
}

/** The cases as documents that are only read. */
function caseDocuments({ cases }: Pick<CaseDeps, 'cases'>): Collection<ReportCase> {
  return cases as unknown as Collection<ReportCase>;
}

function tokenOf(nextToken: string | undefined): { nextToken?: string } {
  return nextToken === undefined ? {} : { nextToken };
}

/** Conditions on fields that reports and cases have in common. */
type Conditions = Partial<Pick<InboxEntry, 'kind' | 'assignee' | 'user_id' | 'room_id' | 'severity'>>;

/** The conditions that reports and cases have in common, except those on state and time. */
function filterOf({ kind, assignee, user, roomId, severity }: ListReportsRequest): Conditions {
  return {
    ...(kind === undefined ? {} : { kind: kind as InboxEntry['kind'] }),
    ...(assignee === undefined ? {} : { assignee: assignee === NONE ? null : assignee }),
    ...(user === undefined ? {} : { user_id: user }),
    ...(roomId === undefined ? {} : { room_id: roomId }),
    ...(severity === undefined
      ? {}
      : { severity: severity === NONE ? null : (severity as InboxEntry['severity']) }),
  };
}

function receivedIn({ receivedAfter, receivedBefore }: ListReportsRequest, key: string): object {
  if (receivedAfter === undefined && receivedBefore === undefined) return {};
  return {
    [key]: {
      ...(receivedAfter === undefined ? {} : { $gte: Number(receivedAfter) }),
      ...(receivedBefore === undefined ? {} : { $lt: Number(receivedBefore) }),
    },
  };
}

function totals(counts: Counts, states: readonly CaseState[]) {
  return {
    total: BigInt(states.reduce((sum, state) => sum + counts[state], 0)),
    counts: {
      open: BigInt(counts.open),
      triaged: BigInt(counts.triaged),
      escalated: BigInt(counts.escalated),
      resolved: BigInt(counts.resolved),
    },
  };
}

/**
 * Counts what all filters except that of the state select. Totals by kind, severity and assignee are sums over few numbers that the
 * store keeps; others count a range of an index.
 */
async function countByState<T extends Doc & { readonly facet: string }>(
  collection: Pick<Collection<T>, 'countDocuments' | 'tally'>,
  request: ListReportsRequest,
  filter: Filter<T>,
): Promise<Counts> {
  const { user, roomId, reporter, receivedAfter, receivedBefore } = request;
  const counts: Record<CaseState, number> = { open: 0, triaged: 0, escalated: 0, resolved: 0 };
  if ([user, roomId, reporter, receivedAfter, receivedBefore].every((each) => each === undefined)) {
    const { kind, severity, assignee } = request;
    const isWanted = (given: string | undefined, value: string | null) =>
      given === undefined || given === (value ?? NONE);
    for (const [facet, count] of await collection.tally()) {
      const of = fromCaseFacet(facet);
      const fits =
        isWanted(kind, of.kind) && isWanted(severity, of.severity) && isWanted(assignee, of.assignee);
      if (fits && of.state !== 'deleted') counts[of.state] += count;
    }
    return counts;
  }
  await Promise.all(
    CASE_STATES.map(async (state) => {
      counts[state] = await collection.countDocuments({ ...filter, state } as unknown as Filter<T>);
    }),
  );
  return counts;
}
