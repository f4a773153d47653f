import { type Meters, remembered, TOTALS_KEPT_MS } from '@steward/telemetry';
import type { Deps } from './deps.ts';

/** Adds the totals of reports to the metrics. */
export function meterReports(
  { eventReports, roomReports, userReports }: Pick<Deps, 'eventReports' | 'roomReports' | 'userReports'>,
  meters: Pick<Meters, 'gauge'>,
): void {
  const totals = remembered(
    async () => ({
      // Reports of rooms that exist, as administrators see them.
      event: (await eventReports.tally()).get('false') ?? 0,
      room: await roomReports.countDocuments({}),
      user: await userReports.countDocuments({}),
    }),
    { keptMs: TOTALS_KEPT_MS },
  );
  meters.gauge('steward_reports').from(async () => {
    const { event, room, user } = await totals();
    return [
      { labels: { kind: 'event' }, value: event },
      { labels: { kind: 'room' }, value: room },
      { labels: { kind: 'user' }, value: user },
    ];
  });
}
