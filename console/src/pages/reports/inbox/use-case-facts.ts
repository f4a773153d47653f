import type { CaseExcerpt, CaseOverview } from '@steward/sdk';
import { useQuery } from '@tanstack/react-query';
import { batchReads } from '../../../api/batch-reads.ts';
import { call } from '../../../api/call.ts';
import { RECORDED } from '../../../api/refresh-after.ts';
import { useCan } from '../../../api/use-can.ts';

const OVERVIEWS = 'reports.getCaseOverviews';
const EXCERPTS = 'reports.getCaseExcerpts';

const overviews = batchReads<CaseOverview>(async (ids) => (await call(OVERVIEWS, { case_id: ids })).cases);
const excerpts = batchReads<CaseExcerpt>(async (ids) => (await call(EXCERPTS, { case_id: ids })).cases);

/** What a row says of a case. */
interface CaseFacts {
  /** Why it was reported, and how many cases are about the same user; undefined while it is not known. */
  readonly overview: CaseOverview | undefined;
  /** The beginning of what was reported; undefined while it is not known, without a copy, and for readers without the scope for content. */
  readonly excerpt: CaseExcerpt | undefined;
}

/** Reads what the row of a case says besides its fields, together with the other rows. */
export function useCaseFacts(caseId: string): CaseFacts {
  const can = useCan();
  const overview = useQuery({
    queryKey: [OVERVIEWS, caseId],
    queryFn: () => overviews.load(caseId),
    enabled: can(OVERVIEWS),
  });
  // The audit log records each read: it is not repeated with each event.
  const excerpt = useQuery({
    queryKey: [EXCERPTS, caseId],
    queryFn: () => excerpts.load(caseId),
    enabled: can(EXCERPTS),
    staleTime: Number.POSITIVE_INFINITY,
    meta: RECORDED,
  });
  return { overview: overview.data ?? undefined, excerpt: excerpt.data ?? undefined };
}
