// Prints one line that counts the tests of reports that vitest wrote as JSON: N passed, N failed, N skipped.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Report The parts of vitest's report that this script counts.
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults
 */

/**
 * A file that cannot be loaded counts as one failed test.
 *
 * @param {Report[]} reports
 */
export function summarize(...reports) {
  let [passed, failed, skipped] = [0, 0, 0];
  for (const { status: fileStatus, assertionResults } of reports.flatMap(({ testResults }) => testResults)) {
    const failedBefore = failed;
    for (const { status } of assertionResults) {
      if (status === 'passed') passed++;
      else if (status === 'failed') failed++;
      else skipped++;
    }
    if (fileStatus === 'failed' && failed === failedBefore) failed++;
  }
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
  console.log(summarize(...reports));
}
