import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/use-format.ts';

interface TimeProps {
  /** In milliseconds since the Unix epoch; null, undefined and 0 for none. */
  readonly ms: number | null | undefined;
  /** Shows date and time instead of the distance to now. */
  readonly exact?: boolean;
}

/** A time, as the distance to now, with date and time in the tooltip. */
export function Time({ ms, exact = false }: TimeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!ms)
    return (
      <Text span inherit>
        {t('time.never')}
      </Text>
    );
  const written = format.dateTime(ms);
  if (exact) return <time dateTime={isoOf(ms)}>{written}</time>;
  // A component for the tooltip would cost more than the rest of a row, in tables that have many.
  return (
    <time dateTime={isoOf(ms)} title={written}>
      {format.relative(ms)}
    </time>
  );
}

function isoOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
