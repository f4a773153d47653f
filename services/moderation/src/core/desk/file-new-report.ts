import type { Deps } from '../deps.ts';
import type { DeskDeps } from './desk-deps.ts';
import { fileReports } from './file-reports.ts';

/**
 * Files a report that was stored a moment ago. A failure is reported and does not refuse the request, which would be repeated and
 * report twice: the filer files it later.
 *
 * @param key the key of the report in the inbox
 */
export async function fileNewReport(deps: DeskDeps & Pick<Deps, 'report'>, key: string): Promise<void> {
  await fileReports(deps, [key]).catch((error: unknown) =>
    deps.report('a report was not filed in the inbox', { error }),
  );
}
