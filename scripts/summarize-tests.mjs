// Prints the files that took longest of reports that vitest wrote as JSON, and last one line that counts the tests:
// N passed, N failed, N skipped. With STEWARD_TEST_DURATIONS, the times of all files are written to that file, for the order of the next run.
import { readFileSync, writeFileSync } from 'node:fs';
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
  return timesOf(reports)
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SLOWEST_FILES)
    .map(({ path, ms }) => `${(ms / MS_PER_S).toFixed(1).padStart(6)} s  ${path}`);
}

/**
 * How long each file took at most, in ms, by its path from the root.
 *
 * @param {Report[]} reports
 * @returns {Record<string, number>}
 */
export function durations(...reports) {
  return Object.fromEntries(
    timesOf(reports)
      .toSorted((one, other) => one.ms - other.ms)
      .map(({ path, ms }) => [path, Math.round(ms)]),
  );
}

/** @param {Report[]} reports */
function timesOf(reports) {
  return reports
    .flatMap(({ testResults }) => testResults)
    .map(({ name, startTime, endTime }) => ({
      path: relative(process.cwd(), name),
      ms: endTime - startTime,
    }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
  const file = process.env.STEWARD_TEST_DURATIONS;
  if (file) writeFileSync(file, JSON.stringify(durations(...reports)));
  for (const line of slowestFiles(...reports)) console.log(line);
  console.log(summarize(...reports));
}
