import { expect, it } from 'vitest';
import { durations, slowestFiles, summarize } from './summarize-tests.mjs';

const file = (status: string, ...tests: string[]) => ({
  name: `${process.cwd()}/${status}.test.ts`,
  startTime: 1_000,
  endTime: status === 'failed' ? 3_500 : 2_000,
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

it('counts the tests of all files', () => {
  const report = {
    testResults: [
      file('passed', 'passed', 'passed', 'pending', 'todo'),
      file('failed', 'passed', 'failed', 'skipped'),
    ],
  };
  expect(summarize(report)).toBe('3 passed, 1 failed, 3 skipped');
});

it('counts a file that could not be loaded as a failure', () => {
  expect(summarize({ testResults: [file('failed'), file('passed', 'passed')] })).toBe(
    '1 passed, 1 failed, 0 skipped',
  );
});

it('adds up several reports', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped')] };
  expect(summarize(report, report)).toBe('2 passed, 0 failed, 2 skipped');
});

it('lists the slowest files first', () => {
  expect(
    slowestFiles({ testResults: [file('passed', 'passed')] }, { testResults: [file('failed')] }),
  ).toEqual(['   2.5 s  failed.test.ts', '   1.0 s  passed.test.ts']);
});

it('keeps the longest time of each file', () => {
  const again = { ...file('failed'), endTime: 2_500 };
  expect(durations({ testResults: [file('failed'), file('passed')] }, { testResults: [again] })).toEqual({
    'failed.test.ts': 2_500,
    'passed.test.ts': 1_000,
  });
});
