import { refuse } from '@steward/errors';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import type { ReportCase } from '../../core/model/case.ts';

/** The maximum number of cases of a request. */
const MAX_CASES = 100;

/** What lists show of cases is read with. */
export type NamedCase = Pick<
  ReportCase,
  '_id' | 'subject' | 'user_id' | 'room_id' | 'event_id' | 'media_uri'
>;

/**
 * Reads the cases with these ids; ids without a case are left out.
 *
 * @throws refuse.invalidParam for too many
 */
export async function namedCases(
  { cases }: Pick<CaseDeps, 'cases'>,
  ids: readonly string[],
): Promise<readonly NamedCase[]> {
  if (ids.length > MAX_CASES) throw refuse.invalidParam(`'case_id' is given at most ${MAX_CASES} times`);
  const projection = { subject: 1, user_id: 1, room_id: 1, event_id: 1, media_uri: 1 } as const;
  return cases.find({ _id: { $in: [...new Set(ids)] } }, { projection }).toArray();
}
