import { refuse } from '@steward/errors';
import { readListToken, writeListToken } from '@steward/kernel';
import type { Collection, Filter, Sort } from '@steward/store';
import type { CaseSeverity, CaseState, ReportCase } from '../../core/model/case.ts';
import { documentsOf, type Page } from './read-page.ts';

/** The order of cases by severity, then by the number of reporters, then by age. */
export const URGENCY = 'urgency';

/** The severities, the most urgent first. What has none yet may be anything, and is above what was found to be of little weight. */
const SEVERITIES: readonly (CaseSeverity | null)[] = ['critical', 'high', 'medium', null, 'low'];

/** The place of a case among those of its severity. */
type PlaceInSeverity = Pick<ReportCase, 'reporter_count' | 'first_received_ts' | '_id'>;

/** The place after which a page begins. */
type Place = PlaceInSeverity & Pick<ReportCase, 'severity'>;

/** Which cases are wanted. */
export interface WantedCases {
  readonly filter: Filter<ReportCase>;
  /** -1 for the most urgent first. */
  readonly direction: 1 | -1;
  /** The token of the page; undefined for the first one. */
  readonly from: string | undefined;
  readonly limit: number;
}

/**
 * Reads a page of the cases in some states by urgency: for each severity one range of an index for each state, which are merged. Only
 * the index is read, and then the documents of the page.
 *
 * @throws refuse.invalidParam for a token of another list
 */
export async function urgentPage(
  collection: Collection<ReportCase>,
  states: readonly CaseState[],
  { filter, direction, from, limit }: WantedCases,
): Promise<Page<ReportCase>> {
  const after = from === undefined ? undefined : placeOf(from);
  if (limit === 0) return { rows: [] };
  const severities = (direction === -1 ? SEVERITIES : SEVERITIES.toReversed()).filter(
    (severity) => filter.severity === undefined || filter.severity === severity,
  );
  const rows: Place[] = [];
  const begin = after === undefined ? 0 : Math.max(severities.indexOf(after.severity), 0);
  for (const severity of severities.slice(begin)) {
    const left = limit + 1 - rows.length;
    if (left === 0) break;
    const place = after?.severity === severity ? after : undefined;
    const found = await Promise.all(
      states.map((state) => readRange(collection, { ...filter, severity, state }, direction, place, left)),
    );
    const inOrder = found.flat().sort((a, b) => compare(a, b, direction));
    rows.push(...inOrder.slice(0, left).map((row) => ({ ...row, severity })));
  }
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: await documentsOf(collection, page, states),
    ...(rows.length > limit && last ? { nextToken: toToken(last) } : {}),
  };
}

/** Reads the cases of one severity in one state that follow a place. */
async function readRange(
  collection: Collection<ReportCase>,
  filter: Filter<ReportCase>,
  direction: 1 | -1,
  after: PlaceInSeverity | undefined,
  limit: number,
): Promise<PlaceInSeverity[]> {
  const sort = {
    reporter_count: direction,
    first_received_ts: -direction,
    _id: -direction,
  } as Sort<ReportCase>;
  const projection = { reporter_count: 1, first_received_ts: 1 } as const;
  const rows: PlaceInSeverity[] = [];
  for (const range of after === undefined ? [{}] : followingUrgency(after, direction)) {
    const left = limit - rows.length;
    if (left === 0) break;
    const wanted = { ...filter, $and: [range] } as Filter<ReportCase>;
    rows.push(...(await collection.find(wanted, { sort, limit: left, projection }).toArray()));
  }
  return rows;
}

/** What follows a place within its severity: ranges of the index, one for each field that the order is by, the last one first. */
export function followingUrgency(place: PlaceInSeverity, direction: 1 | -1): readonly object[] {
  const { reporter_count, first_received_ts, _id } = place;
  const [fewer, later] = direction === -1 ? ['$lt', '$gt'] : ['$gt', '$lt'];
  return [
    { reporter_count, first_received_ts, _id: { [later as string]: _id } },
    { reporter_count, first_received_ts: { [later as string]: first_received_ts } },
    { reporter_count: { [fewer as string]: reporter_count } },
  ];
}

function compare(a: PlaceInSeverity, b: PlaceInSeverity, direction: 1 | -1): number {
  const byId = a._id < b._id ? -1 : a._id > b._id ? 1 : 0;
  return (
    direction * (a.reporter_count - b.reporter_count || b.first_received_ts - a.first_received_ts || -byId)
  );
}

function toToken({ severity, reporter_count, first_received_ts, _id }: Place): string {
  return writeListToken([URGENCY, severity, reporter_count, first_received_ts, _id]);
}

function placeOf(token: string): Place {
  const [of, severity, reporters, first, id, ...others] = readListToken(token);
  const known = SEVERITIES.find((each) => each === severity);
  const isPlace =
    of === URGENCY &&
    known !== undefined &&
    Number.isSafeInteger(reporters) &&
    Number.isSafeInteger(first) &&
    typeof id === 'string' &&
    others.length === 0;
  if (!isPlace) throw refuse.invalidParam("'from' is not a next_token of this list");
  return {
    severity: known,
    reporter_count: reporters as number,
    first_received_ts: first as number,
    _id: id,
  };
}
