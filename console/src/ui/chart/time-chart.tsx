import { Group, Paper, Text, Title, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useFormat } from '../../i18n/use-format.ts';

/** A line or the bars of a chart; a value is null where there is none. */
export interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly colour: 'blue' | 'orange' | 'red' | 'green';
}

interface TimeChartProps {
  readonly title: string;
  /** The starts of the intervals, in milliseconds since the Unix epoch, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** `lines` for what is, `bars` for what happened within each interval. */
  readonly kind: 'lines' | 'bars';
  /** Whether the intervals are days, which are those of UTC. */
  readonly days: boolean;
  readonly format: (value: number) => string;
}

const HEIGHT_PX = 170;
const AXIS_PX = 64;
const MS_PER_S = 1_000;
const BAR_SHARE = 0.7;
/** Counts have no fractions. */
const STEPS = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
const SHADES = { light: 8, dark: 4 } as const;

/** A chart over time, with the values of the interval under the pointer, or of the last one. */
export function TimeChart({ title, times, series, kind, days, format }: TimeChartProps) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme();
  const { colors } = useMantineTheme();
  const { dateTime, date, locale } = useFormat();
  const { ref: frame, width } = useElementSize();
  const canvas = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const shown = pointed ?? times.length - 1;
  const at = times[shown];
  const colourOf = (colour: Series['colour']) => colors[colour][SHADES[scheme]];

  useEffect(() => {
    if (canvas.current === null || width === 0) return undefined;
    const ink = scheme === 'dark' ? colors.dark[0] : colors.gray[8];
    const grid = scheme === 'dark' ? colors.dark[5] : colors.gray[2];
    const axis = {
      stroke: ink,
      grid: { stroke: grid, width: 1 },
      ticks: { show: false },
      font: '12px sans-serif',
    };
    const short = new Intl.DateTimeFormat(locale, {
      ...(days
        ? { timeZone: 'UTC', day: 'numeric', month: 'short' }
        : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    });
    const long = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
    const spansDays = (times.at(-1) ?? 0) - (times[0] ?? 0) > 86_400_000 * 2;
    const bars = UPlot.paths.bars?.({ size: [BAR_SHARE, 40] });
    const plot = new UPlot(
      {
        width,
        height: HEIGHT_PX,
        legend: { show: false },
        cursor: { points: { show: kind === 'lines' }, drag: { x: false, y: false }, y: false },
        scales: { x: { time: true }, y: { range: (_, __, max) => [0, Math.max(max, 1) * 1.1] } },
        axes: [
          {
            ...axis,
            space: 80,
            size: 30,
            values: (_, splits) =>
              splits.map((s) => (spansDays && !days ? long : short).format(s * MS_PER_S)),
          },
          {
            ...axis,
            size: AXIS_PX,
            incrs: STEPS,
            values: (_, splits) => splits.map((value) => format(value)),
          },
        ],
        series: [
          {},
          ...series.map(({ label, colour }) => ({
            label,
            stroke: colors[colour][SHADES[scheme]],
            width: 2,
            spanGaps: false,
            points: kind === 'bars' ? { show: false } : {},
            ...(kind === 'bars' && bars
              ? { paths: bars, fill: `${colors[colour][SHADES[scheme]]}99`, width: 1 }
              : {}),
          })),
        ],
        hooks: { setCursor: [({ cursor }) => setPointed(cursor.idx ?? null)] },
      },
      [times.map((ms) => ms / MS_PER_S), ...series.map(({ values }) => [...values])],
      canvas.current,
    );
    return () => plot.destroy();
  }, [width, scheme, colors, times, series, kind, days, format, locale]);

  const words = series
    .map(({ label, values }) => `${label}: ${written(values[shown], format, t('time.none'))}`)
    .join(', ');
  return (
    <Paper
      withBorder
      p="sm"
      component="figure"
      m={0}
      ref={frame}
      // The canvas follows a narrower screen one frame later; until then the page must not scroll sideways.
      style={{ overflowX: 'clip' }}
    >
      <figcaption>
        <Title order={3} size="h6">
          {title}
        </Title>
        <Group gap="md" mih={24}>
          {series.map(({ label, values, colour }) => (
            <Group key={label} gap={6} wrap="nowrap">
              <span
                aria-hidden
                style={{ width: 10, height: 10, borderRadius: 2, background: colourOf(colour) }}
              />
              <Text size="sm">
                {label}: <strong>{written(values[shown], format, t('time.none'))}</strong>
              </Text>
            </Group>
          ))}
          {at !== undefined && (
            <Text size="xs" c="dimmed">
              {days ? date(at) : dateTime(at)}
            </Text>
          )}
        </Group>
      </figcaption>
      <div ref={canvas} role="img" aria-label={`${title}. ${words}`} style={{ minHeight: HEIGHT_PX }} />
    </Paper>
  );
}

function written(value: number | null | undefined, format: (value: number) => string, none: string): string {
  return value === null || value === undefined ? none : format(value);
}
