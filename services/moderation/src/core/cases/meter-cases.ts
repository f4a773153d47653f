import { type Meters, remembered, TOTALS_KEPT_MS } from '@steward/telemetry';
import { CASE_STATES } from '../model/case.ts';
import type { CaseDeps } from './case-deps.ts';
import { fromCaseFacet } from './subject.ts';

const MS_PER_SECOND = 1_000;

/** The states of cases that wait for a decision. */
const WAITING = CASE_STATES.filter((state) => state !== 'resolved');

/** Adds how many cases wait for a decision, and how long, to the metrics. */
export function meterCases(
  { cases, clock }: Pick<CaseDeps, 'cases' | 'clock'>,
  meters: Pick<Meters, 'gauge'>,
): void {
  const read = remembered(
    async () => {
      const tally = [...(await cases.tally())];
      const oldest = await Promise.all(
        WAITING.map((state) =>
          cases.findOne(
            { state },
            { sort: { first_received_ts: 1 }, projection: { first_received_ts: 1, _id: 0 } },
          ),
        ),
      );
      const byState = WAITING.map((state) => ({
        state,
        count: tally.reduce((sum, [facet, n]) => sum + (fromCaseFacet(facet).state === state ? n : 0), 0),
      }));
      const times = oldest.flatMap((found) => found?.first_received_ts ?? []);
      return { byState, oldest: times.length > 0 ? Math.min(...times) : undefined };
    },
    { keptMs: TOTALS_KEPT_MS },
  );
  meters
    .gauge('steward_report_cases')
    .from(async () =>
      (await read()).byState.map(({ state, count }) => ({ labels: { state }, value: count })),
    );
  meters.gauge('steward_report_case_age_seconds').from(async () => {
    const { oldest } = await read();
    return [
      { labels: {}, value: oldest === undefined ? 0 : Math.max(0, clock.now() - oldest) / MS_PER_SECOND },
    ];
  });
}
