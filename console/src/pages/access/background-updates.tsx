import { Badge, Group, Stack, Table, Text, Title } from '@mantine/core';
import type { BackgroundUpdate } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { Note, QueryState } from '../../ui/query-state.tsx';
import { Scrolling } from './scrolling.tsx';

const JOBS = ['populate_stats_process_rooms', 'regenerate_directory'] as const;
const REFRESH_MS = 5_000;

/** Work on stored data in the background: what runs, whether it may run, and jobs to start. */
export function BackgroundUpdates() {
  const { t } = useTranslation('access');
  const query = useRead('backgroundUpdates.getStatus', {}, { everyMs: REFRESH_MS });
  return (
    <Scrolling label={t('tab_background')}>
      <QueryState query={query} operation="backgroundUpdates.getStatus">
        {({ enabled, current_updates: updates }) => (
          <>
            <Group>
              <Badge variant="outline" tt="none" color={enabled ? 'green' : 'orange'}>
                {t(enabled ? 'updates_enabled' : 'updates_disabled')}
              </Badge>
              <OrderButton
                operation="backgroundUpdates.setEnabled"
                title={t(enabled ? 'disable_updates' : 'enable_updates')}
                text={t(enabled ? 'disable' : 'enable')}
                consequences={[t('set_updates_effect')]}
                params={{ enabled: !enabled }}
              />
            </Group>
            <Running updates={updates} />
            <Jobs />
          </>
        )}
      </QueryState>
    </Scrolling>
  );
}

function Running({ updates }: { readonly updates: Readonly<Record<string, BackgroundUpdate>> }) {
  const { t } = useTranslation('access');
  const format = useFormat();
  const entries = Object.entries(updates);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('updates_running')}
      </Title>
      {entries.length === 0 ? (
        <Note>{t('no_updates')}</Note>
      ) : (
        <Table withTableBorder aria-label={t('updates_running')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('database')}</Table.Th>
              <Table.Th>{t('update')}</Table.Th>
              <Table.Th>{t('items')}</Table.Th>
              <Table.Th>{t('duration')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map(([database, { name, total_item_count: items, total_duration_ms: ms }]) => (
              <Table.Tr key={database}>
                <Table.Td>{database}</Table.Td>
                <Table.Td>{name}</Table.Td>
                <Table.Td>{format.number(items)}</Table.Td>
                <Table.Td>{format.duration(ms)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}

function Jobs() {
  const { t } = useTranslation('access');
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('jobs')}
      </Title>
      <Text size="sm">{t('jobs_hint')}</Text>
      {JOBS.map((job) => (
        <Group key={job} gap="sm">
          <Stack gap={0} maw={520}>
            <Text size="sm">{t(`job_${job}`)}</Text>
            <Text size="xs" ff="monospace" c="dimmed">
              {job}
            </Text>
          </Stack>
          <OrderButton
            operation="backgroundUpdates.startJob"
            title={t('start_job', { job })}
            text={t('start')}
            consequences={[t('start_job_effect')]}
            params={{ job_name: job }}
          />
        </Group>
      ))}
    </Stack>
  );
}
