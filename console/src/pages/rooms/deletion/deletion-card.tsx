import { Card, Group, Stack, Text } from '@mantine/core';
import type { Task } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { ErrorNotice } from '../../../ui/errors/error-notice.tsx';
import { RoomLink, TaskLink, UserLink } from '../../../ui/links.tsx';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import { Time } from '../../../ui/time.tsx';
import { ENDED, TaskProgress } from '../parts/task-progress.tsx';

/** A deletion of a room: its progress, its cancellation, and the outcome for the members. */
export function DeletionCard({ task }: { readonly task: Task }) {
  const { t } = useTranslation('rooms');
  const { t: tasks } = useTranslation('tasks');
  const { id, state, requested_by: user, created_ts: created, error } = task;
  return (
    <Card withBorder padding="sm" aria-label={`${t('deletion')} ${id}`} role="group">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm">
            <TaskLink id={id}>
              <Time ms={created} exact />
            </TaskLink>
            {user !== null && (
              <>
                {' · '}
                <UserLink id={user} />
              </>
            )}
          </Text>
          {!ENDED.has(state) && (
            <OrderButton
              operation="tasks.cancel"
              title={t('delete_cancel')}
              consequences={[t('delete_cancel_effect'), t('delete_cancel_until')]}
              params={{ task_id: id }}
              danger
              button={{ size: 'compact-sm' }}
            />
          )}
        </Group>
        <TaskProgress task={task} />
        {error !== null && <ErrorNotice error={error} />}
        {state === 'complete' && <Outcome id={id} />}
        {state === 'cancelled' && <Text size="sm">{tasks('cancel_effect')}</Text>}
      </Stack>
    </Card>
  );
}

function Outcome({ id }: { readonly id: string }) {
  const { t } = useTranslation('rooms');
  const format = useFormat();
  const { data } = useRead('rooms.getDeletion', { delete_id: id });
  const outcome = data?.shutdown_room;
  if (outcome === undefined) return null;
  const {
    kicked_users: kicked,
    failed_to_kick_users: failed,
    local_aliases: aliases,
    new_room_id: next,
  } = outcome;
  return (
    <Stack gap={4}>
      <Text size="sm">
        {t('delete_outcome_left', { count: kicked.length, formatted: format.number(kicked.length) })}
      </Text>
      {failed.length > 0 && (
        <Text size="sm" component="div">
          {t('delete_outcome_failed')}{' '}
          {failed.slice(0, 20).map((userId) => (
            <span key={userId}>
              <UserLink id={userId} />{' '}
            </span>
          ))}
        </Text>
      )}
      {next !== null && (
        <Text size="sm">
          {t('delete_outcome_new_room')} <RoomLink id={next} />
        </Text>
      )}
      {aliases.length > 0 && (
        <Text size="sm">
          {t('delete_outcome_aliases')} <bdi>{aliases.join(', ')}</bdi>
        </Text>
      )}
    </Stack>
  );
}
