import { Alert, Badge, List, ScrollArea, Table, Text, Title } from '@mantine/core';
import type { ProcessStatus } from '@steward/sdk';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';

/** Processes report every ten seconds. */
const INTERVAL_MS = 10_000;
const COLOURS: Readonly<Record<string, string>> = { ready: 'green', lost: 'red', unready: 'red' };
const MANY = 10_000;

/** Whether the server works as it should: its processes, and what waits in its queues. */
export function Health() {
  const { t } = useTranslation('overview');
  const query = useRead('server.getStatus', {}, { everyMs: INTERVAL_MS });
  return (
    <section aria-label={t('services')}>
      <Title order={2} size="h4" mb="sm">
        {t('services')}
      </Title>
      <QueryState query={query} operation="server.getStatus">
        {({ degraded, processes, store, schema }) => (
          <>
            {degraded.length === 0 ? (
              <Alert color="green" variant="outline" icon={<CircleCheck aria-hidden />} mb="sm">
                {t('healthy')} {t('store', { store, schema })}
              </Alert>
            ) : (
              <Alert
                color="orange"
                variant="outline"
                icon={<TriangleAlert aria-hidden />}
                title={t('degraded')}
                mb="sm"
              >
                <List size="sm">
                  {degraded.map((each) => (
                    <List.Item key={each}>
                      {t(`degraded_${each}` as 'degraded', { defaultValue: each })}
                    </List.Item>
                  ))}
                </List>
              </Alert>
            )}
            <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('process') }}>
              <Table miw={760}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('process')}</Table.Th>
                    <Table.Th>{t('state')}</Table.Th>
                    <Table.Th>{t('host')}</Table.Th>
                    <Table.Th>{t('release')}</Table.Th>
                    <Table.Th>{t('running_since')}</Table.Th>
                    <Table.Th>{t('memory')}</Table.Th>
                    <Table.Th>{t('delay')}</Table.Th>
                    <Table.Th>{t('outbox')}</Table.Th>
                    <Table.Th>{t('lag')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {processes.map((process) => (
                    <Process key={process.id} process={process} />
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollArea>
          </>
        )}
      </QueryState>
    </section>
  );
}

function Process({ process }: { readonly process: ProcessStatus }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const { kind, state, host, pid, release, started_ts, memory_bytes, event_loop_delay_ms, missing } = process;
  const waiting = process.outboxes.reduce((sum, { entries }) => sum + entries, 0);
  const lag = process.consumers.reduce((sum, { pending }) => sum + pending, 0);
  const count = (value: number) => `${format.number(value)}${value >= MANY ? '+' : ''}`;
  return (
    <Table.Tr>
      <Table.Td>{kind}</Table.Td>
      <Table.Td>
        <Badge variant="outline" tt="none" color={COLOURS[state] ?? 'orange'}>
          {t(`state_${state}` as 'state', { defaultValue: state })}
        </Badge>
        {missing.length > 0 && <Text size="xs">{missing.join(', ')}</Text>}
      </Table.Td>
      <Table.Td>
        <bdi>{host}</bdi> ({pid})
      </Table.Td>
      <Table.Td>{release}</Table.Td>
      <Table.Td>
        <Time ms={started_ts} />
      </Table.Td>
      <Table.Td>{format.bytes(memory_bytes)}</Table.Td>
      <Table.Td>{format.number(event_loop_delay_ms)} ms</Table.Td>
      <Table.Td>{count(waiting)}</Table.Td>
      <Table.Td>{count(lag)}</Table.Td>
    </Table.Tr>
  );
}
