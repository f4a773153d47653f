import { Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TextLink } from '../../ui/link.tsx';

interface FigureProps {
  readonly label: string;
  /** The number as it is written; null when the server cannot say it. */
  readonly value: string | null | undefined;
  readonly note?: string | undefined;
  /** Where the list is that is counted; absent if the user may not open it. */
  readonly to?: '/users' | '/rooms' | '/media' | '/reports' | '/tasks' | undefined;
}

/** One number of the overview. */
export function Figure({ label, value, note, to }: FigureProps) {
  const { t } = useTranslation('overview');
  return (
    <Paper withBorder p="md" component="li">
      <Text size="sm">{to === undefined ? label : <TextLink to={to}>{label}</TextLink>}</Text>
      <Text size="xl" fw={700} data-figure={label}>
        {value ?? t('unknown')}
      </Text>
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}
