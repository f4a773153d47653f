// Prints the files that took longest of reports that vitest wrote as JSON, and last one line that counts the tests:
// N passed, N failed, N skipped.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const MS_PER_S = 1000;
const SLOWEST_FILES = 30;

/**
 * @typedef {object} Report The parts of vitest's report that this script counts.
 * @property {TestFile[]} testResults
 *
 * @typedef {object} TestFile
 * @property {string} name Its path.
 * @property {string} status
 * @property {number} startTime In ms since 1970.
 * @property {number} endTime
 * @property {{ status: string }[]} assertionResults
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

/**
 * The files that took longest, one a line with its seconds, the slowest first. A file that ran in several projects stands
 * there once for each.
 *
 * @param {Report[]} reports
 */
export function slowestFiles(...reports) {
  return reports
    .flatMap(({ testResults }) => testResults)
    .map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SLOWEST_FILES)
    .map(({ name, ms }) => `${(ms / MS_PER_S).toFixed(1).padStart(6)} s  ${relative(process.cwd(), name)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
  for (const line of slowestFiles(...reports)) console.log(line);
  console.log(summarize(...reports));
}
