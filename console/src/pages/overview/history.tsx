import { Group, SegmentedControl, SimpleGrid, Title } from '@mantine/core';
import type { HistoryPoint } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { TimeChart } from '../../ui/chart/time-chart.tsx';
import { QueryState } from '../../ui/query-state.tsx';

const HOUR_MS = 3_600_000;
const RANGES = {
  day: { interval: 'hour', hours: 23 },
  week: { interval: 'hour', hours: 7 * 24 - 1 },
  month: { interval: 'day', hours: 29 * 24 },
  quarter: { interval: 'day', hours: 89 * 24 },
} as const;
type Range = keyof typeof RANGES;
/** The last interval grows until it ends. */
const INTERVAL_MS = 60_000;

/** The figures over time. */
export function History() {
  const { t } = useTranslation('overview');
  const search = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const range: Range = String(search.range) in RANGES ? (search.range as Range) : 'day';
  const { interval, hours } = RANGES[range];
  // The clock of the server counts, not the one of this device.
  const now = useRead('statistics.getOverview', {}).data?.ts;
  const hour = Math.floor((now ?? 0) / HOUR_MS);
  const params = { interval, from_ts: Math.max(hour - hours, 0) * HOUR_MS };
  const query = useRead('statistics.getHistory', params, {
    enabled: now !== undefined,
    everyMs: INTERVAL_MS,
    keepFormer: true,
  });
  return (
    <section aria-label={t('over_time')}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t('over_time')}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('range')}
          value={range}
          onChange={(next) =>
            navigate({ search: { range: next === 'day' ? undefined : next }, replace: true })
          }
          data={(Object.keys(RANGES) as Range[]).map((value) => ({ value, label: t(`range_${value}`) }))}
        />
      </Group>
      <QueryState query={query} operation="statistics.getHistory">
        {({ points }) => <Charts points={points} days={interval === 'day'} />}
      </QueryState>
    </section>
  );
}

type Figure = Exclude<keyof HistoryPoint, 'ts'>;

function Charts({ points, days }: { readonly points: readonly HistoryPoint[]; readonly days: boolean }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const charts = useMemo(() => {
    const valuesOf = (figure: Figure) => points.map((point) => point[figure]);
    const series = (label: string, figure: Figure, colour: 'blue' | 'orange' | 'red' | 'green' = 'blue') => ({
      label,
      values: valuesOf(figure),
      colour,
    });
    return [
      {
        title: t('chart_accounts'),
        kind: 'lines' as const,
        format: format.compact,
        series: [series(t('accounts'), 'accounts'), series(t('daily'), 'daily_active_users', 'green')],
      },
      {
        title: t('chart_messages'),
        kind: 'bars' as const,
        format: format.compact,
        series: [series(t('sent'), 'messages')],
      },
      {
        title: t('chart_sign_ins'),
        kind: 'bars' as const,
        format: format.compact,
        series: [series(t('succeeded'), 'sign_ins'), series(t('failed'), 'failed_sign_ins', 'red')],
      },
      {
        title: t('chart_media'),
        kind: 'lines' as const,
        format: format.bytes,
        series: [series(t('stored'), 'local_media_bytes')],
      },
      {
        title: t('chart_rooms'),
        kind: 'lines' as const,
        format: format.compact,
        series: [series(t('rooms'), 'rooms')],
      },
      {
        title: t('chart_reports'),
        kind: 'lines' as const,
        format: format.compact,
        series: [series(t('open'), 'open_reports', 'orange'), series(t('received'), 'reports')],
      },
    ];
  }, [points, t, format]);
  const times = useMemo(() => points.map(({ ts }) => ts), [points]);
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
      {charts.map((chart) => (
        <TimeChart key={chart.title} {...chart} times={times} days={days} />
      ))}
    </SimpleGrid>
  );
}
