import type { ListReportsResponse, ReportCaseSummary } from '@steward/sdk';
import { useMemo } from 'react';
import type { RowSource } from '../../../api/row-source.ts';
import { useCursorRows } from '../../../api/use-cursor-rows.ts';
import type { Case } from '../desk/case-orders.ts';

/** The states of the cases that need a decision. */
const UNRESOLVED: ('open' | 'triaged' | 'escalated')[] = ['open', 'triaged', 'escalated'];

const rowsOf = (page: ListReportsResponse) => page.cases;
const nextOf = (page: ListReportsResponse) => page.next_token;
const totalOf = (page: ListReportsResponse) => page.total;

/** The cases about a user that are not resolved. */
interface OtherCases {
  /** How many there are besides the one that is open. */
  readonly count: number;
  /** Those of them that are loaded. */
  readonly loaded: readonly ReportCaseSummary[];
  readonly readAll: RowSource<ReportCaseSummary>['readAll'];
}

/** Lists the other cases about the user of a case that are not resolved. */
export function useOtherCases({ case_id: id, user_id: user, state }: Case, enabled: boolean): OtherCases {
  const params = { group: 'subject', user: user ?? '', state: UNRESOLVED } as const;
  const rows = useCursorRows('reports.list', params, {
    ...{ rowsOf, nextOf, totalOf },
    enabled: enabled && user !== null,
  });
  const loaded = useMemo(
    () =>
      Array.from({ length: rows.count }, (_, index) => rows.at(index)).filter(
        (each) => each !== undefined && each.case_id !== id,
      ) as readonly ReportCaseSummary[],
    [rows, id],
  );
  if (user === null) return { count: 0, loaded: [], readAll: undefined };
  const count = Math.max((rows.total ?? 0) - (state === 'resolved' ? 0 : 1), 0);
  return { count, loaded, readAll: rows.readAll };
}
