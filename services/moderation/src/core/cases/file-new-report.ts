import type { Deps } from '../deps.ts';
import type { CaseDeps } from './case-deps.ts';
import { fileReports } from './file-reports.ts';

/**
 * Counts a report that was stored a moment ago, and files it. A failure is reported and does not refuse the request, which would be repeated and
 * report twice: the filer files it later.
 *
 * @param key the key of the report in the inbox
 */
export async function fileNewReport(
  deps: CaseDeps & Pick<Deps, 'counts' | 'report'>,
  key: string,
): Promise<void> {
  deps.counts.add('reports');
  await fileReports(deps, [key]).catch((error: unknown) =>
    deps.report('a report was not filed in the inbox', { error }),
  );
}
