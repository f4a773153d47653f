import { Badge, Group, Paper, Progress, Stack, Table, Text } from '@mantine/core';
import type { ReportOrder, ReportResolution } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { ReportLink, TaskLink } from '../../../ui/links.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Case } from '../desk/case-orders.ts';
import { Section } from '../desk/section.tsx';
import { textOf } from '../evidence/content.ts';
import { isOrderKind } from '../orders/order-kinds.ts';
import { ByWhom } from './case-history.tsx';
import { outcomeWords } from './earlier-cases.tsx';

/** How often the task is asked for its progress while orders are carried out, in milliseconds. */
const PROGRESS_MS = 1_000;
const WHOLE = 100;
const ORDER_COLOURS = { pending: 'blue', done: 'green', refused: 'red' } as const;

/** What was decided about a case, and the outcome of each order. */
export function Resolutions({ current }: { readonly current: Case }) {
  const { t } = useTranslation('reports');
  const { resolution, former_resolutions: former } = current;
  if (resolution === null && former.length === 0) return null;
  return (
    <Section title={t('resolution')}>
      <Stack gap="sm">
        {resolution !== null && <Resolution resolution={resolution} />}
        {former.length > 0 && (
          <details>
            <summary>{t('former_resolutions', { count: former.length })}</summary>
            <Stack gap="sm" mt="xs">
              {[...former].reverse().map((each) => (
                <Resolution key={each.number} resolution={each} />
              ))}
            </Stack>
          </details>
        )}
      </Stack>
    </Section>
  );
}

/** Whether an order of a case is not carried out yet. */
export function isBeingCarriedOut({ resolution }: Case): boolean {
  return resolution?.orders.some(({ state }) => state === 'pending') ?? false;
}

function Resolution({ resolution }: { readonly resolution: ReportResolution }) {
  const { t } = useTranslation('reports');
  const { decider, ts, outcome, duplicate_of: original, reason, notify, orders, task_id: task } = resolution;
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span fw={600} size="sm">
            {outcomeWords(t, outcome)}
          </Text>
          {original !== null && (
            <>
              {' '}
              <ReportLink id={original} />
            </>
          )}{' '}
          · {decider === null ? t('by_server') : <ByWhom id={decider} />} · <Time ms={ts} />
        </Text>
        {reason !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            <bdi>{reason}</bdi>
          </Text>
        )}
        {notify && <Text size="sm">{t('reporters_told')}</Text>}
        {task !== null && orders.some(({ state }) => state === 'pending') && <TaskProgress id={task} />}
        {orders.length > 0 && (
          <Table aria-label={t('orders')}>
            <Table.Tbody>
              {orders.map((order) => (
                <OrderRow key={order.id} order={order} />
              ))}
            </Table.Tbody>
          </Table>
        )}
        {task !== null && (
          <Text size="xs" c="dimmed">
            {t('task')} <TaskLink id={task} />
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function TaskProgress({ id }: { readonly id: string }) {
  const { t } = useTranslation('reports');
  const { data } = useRead('tasks.get', { task_id: id }, { everyMs: PROGRESS_MS });
  const { done = 0, total = null } = data?.progress ?? {};
  const words = total === null ? t('being_carried_out') : t('carried_out', { done, total });
  return (
    <Group gap="xs" role="status" wrap="nowrap">
      <Progress
        value={total ? (done / total) * WHOLE : 0}
        striped
        animated
        style={{ flex: 1 }}
        aria-label={words}
      />
      <Text size="xs">{words}</Text>
    </Group>
  );
}

function OrderRow({ order }: { readonly order: ReportOrder }) {
  const { t } = useTranslation('reports');
  const { kind, details, state, errcode, message, task_id: task } = order;
  const isKnownState = (name: string): name is keyof typeof ORDER_COLOURS =>
    Object.hasOwn(ORDER_COLOURS, name);
  const targets = ['user_id', 'event_id', 'room_id'].flatMap((name) => textOf(details, name) ?? []);
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{isOrderKind(kind) ? t(`order_${kind}`) : kind}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {targets.map((target) => (
            <span key={target}>
              <bdi>{target}</bdi>{' '}
            </span>
          ))}
          {task !== null && <TaskLink id={task}>{t('task')}</TaskLink>}
        </Text>
      </Table.Td>
      <Table.Td style={{ textAlign: 'end' }}>
        <Badge variant="outline" tt="none" color={isKnownState(state) ? ORDER_COLOURS[state] : 'gray'}>
          {isKnownState(state) ? t(`order_state_${state}`) : state}
        </Badge>
        {message !== null && (
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {message} {errcode !== null && `(${errcode})`}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
