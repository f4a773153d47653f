import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { Task } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { QueryState } from '../../ui/query-state.tsx';

const WHOLE = 100;
/** Progress is announced in steps; in between the dialog asks, in milliseconds. */
const PROGRESS_MS = 1_000;
const ENDED = new Set(['complete', 'failed', 'cancelled']);

interface OrderProgressProps {
  readonly taskId: string;
  readonly onClose: () => void;
}

/** The progress of the task of an order, and its outcome. */
export function OrderProgress({ taskId, onClose }: OrderProgressProps) {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const can = useCan();
  const last = useRead('tasks.get', { task_id: taskId });
  const ended = last.data !== undefined && ENDED.has(last.data.state);
  const query = useRead('tasks.get', { task_id: taskId }, { everyMs: ended ? undefined : PROGRESS_MS });
  return (
    <Stack>
      {can('tasks.get') ? (
        <QueryState query={query} operation="tasks.get">
          {(task) => <Progressing task={task} />}
        </QueryState>
      ) : (
        <Text role="status">{t('all.progress_unseen')}</Text>
      )}
      <Group justify="flex-end">
        {can('tasks.get') && (
          <ButtonLink variant="default" to="/tasks/$taskId" params={{ taskId }}>
            {t('all.task')}
          </ButtonLink>
        )}
        <Button onClick={onClose}>{common('order.close')}</Button>
      </Group>
    </Stack>
  );
}

function Progressing({ task: { state, progress, result } }: { readonly task: Task }) {
  const { t } = useTranslation('media');
  const format = useFormat();
  const { done = 0, total = null } = progress ?? {};
  if (state === 'failed' || state === 'cancelled') {
    return (
      <Alert role="alert" color="red" variant="outline">
        {t(`all.${state}`)}
      </Alert>
    );
  }
  const { media = 0, bytes = 0 } = (result ?? {}) as { readonly media?: number; readonly bytes?: number };
  const words =
    state === 'complete'
      ? t('all.ended', { media: format.number(media), bytes: format.bytes(bytes) })
      : t('all.of', { done: format.number(done), total: total === null ? '–' : format.number(total) });
  const share = state === 'complete' ? WHOLE : total ? Math.min((done / total) * WHOLE, WHOLE) : 0;
  return (
    <Stack gap="xs">
      <Progress value={share} striped={state === 'active'} aria-label={t('all.progress')} />
      <Text role="status">{words}</Text>
    </Stack>
  );
}
