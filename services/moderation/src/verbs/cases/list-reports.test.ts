import { create } from '@bufbuild/protobuf';
import { systemRandom } from '@steward/kernel';
import { ListReportsRequestSchema } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { openCollections } from '@steward/service';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { amendCase } from '../../core/cases/amend-case.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { fileReports } from '../../core/cases/file-reports.ts';
import { collections } from '../../core/collections.ts';
import type { CaseSeverity } from '../../core/model/case.ts';
import { reportKey } from '../../core/report-id.ts';
import { listReports } from './list-reports.ts';

async function start() {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const opened = await openCollections(store, collections);
  const deps = { ...opened, clock: createFakeClock(), random: systemRandom } as unknown as CaseDeps;
  const report = async (number: number, target: string, reporter = '@reporter:test') => {
    const of = { user_id: reporter, target_user_id: target, reason: '' } as const;
    await deps.userReports.insertOne({ _id: reportKey(number), received_ts: number, ...of, unfiled: true });
    await fileReports(deps, [`user-${number}`]);
  };
  const list = (request: object) =>
    listReports(deps, create(ListReportsRequestSchema, { group: 'subject', limit: 1n, ...request }));
  return { deps, report, list };
}

it.each(['f', 'b'])(
  'has each case once by first reports, also one that is reported in between: %s',
  async (dir) => {
    const { report, list } = await start();
    const users = ['@a:test', '@b:test', '@c:test'];
    for (const [index, user] of users.entries()) await report(index + 1, user);
    const seen: (string | undefined)[] = [];
    let from: string | undefined;
    do {
      const page = await list({ orderBy: 'first_received_ts', dir, ...(from && { from }) });
      seen.push(...(page.cases ?? []).map(({ userId }) => userId));
      for (const user of users) await report(100 * seen.length + users.indexOf(user), user);
      from = page.nextToken;
    } while (from !== undefined);
    expect(seen).toEqual(dir === 'f' ? users : users.toReversed());
  },
);

it('refuses the token of another order', async () => {
  const { report, list } = await start();
  for (const [index, user] of ['@a:test', '@b:test'].entries()) await report(index + 1, user);
  const { nextToken: from } = await list({ orderBy: 'report_count' });
  expect(from).toBeTruthy();
  await expect(list({ from })).rejects.toThrow(/not a next_token/);
});

it.each([
  ['b', ['critical', 'two-reporters', 'older', 'newer', 'low']],
  ['f', ['low', 'newer', 'older', 'two-reporters', 'critical']],
])('has each case once by severity, number of reporters and age: %s', async (dir, expected) => {
  const { deps, report, list } = await start();
  for (const [index, name] of ['low', 'older', 'newer', 'two-reporters', 'critical'].entries())
    await report(index + 1, `@${name}:test`);
  await report(10, '@two-reporters:test', '@another:test');
  // In several states, which are merged.
  const { cases = [] } = await list({ limit: 10n });
  for (const { caseId = '', userId = '' } of cases) {
    const severity = userId.match(/low|critical/)?.[0] as CaseSeverity | undefined;
    const set = {
      ...(userId.startsWith('@newer') ? { state: 'triaged' as const } : {}),
      ...(severity === undefined ? {} : { severity }),
    };
    await amendCase(deps, caseId, { by: null, reason: null, decide: () => ({ set }) });
  }
  const seen: (string | undefined)[] = [];
  let from: string | undefined;
  do {
    const page = await list({ orderBy: 'urgency', dir, ...(from && { from }) });
    seen.push(...(page.cases ?? []).map(({ userId }) => userId));
    from = page.nextToken;
  } while (from !== undefined);
  expect(seen).toEqual(expected.map((name) => `@${name}:test`));
  const low = await list({ orderBy: 'urgency', dir, severity: 'low', limit: 10n });
  expect(low.cases).toMatchObject([{ userId: '@low:test' }]);
});
