import { Stack, Title } from '@mantine/core';
import type { Task } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { Note, QueryState } from '../../../ui/query-state.tsx';
import { ENDED } from '../parts/task-progress.tsx';
import { DeletionCard } from './deletion-card.tsx';

const DELETE_ROOM = 'room.delete';
/** Progress is announced in steps; in between the page asks, in milliseconds. */
const PROGRESS_MS = 2_000;

/** The deletions of a room that run or ended within the last day, newest first. */
export function useDeletions(roomId: string) {
  const params = { target: roomId, kind: [DELETE_ROOM] };
  const first = useRead('tasks.list', params);
  const running = first.data?.tasks.some(({ state }: Task) => !ENDED.has(state)) ?? false;
  const query = useRead('tasks.list', params, { everyMs: running ? PROGRESS_MS : undefined });
  return { query, running };
}

/** The deletions of a room, with their progress as it is made. */
export function DeletionList({ roomId }: { readonly roomId: string }) {
  const { t } = useTranslation('rooms');
  const { query } = useDeletions(roomId);
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('deletions')}
      </Title>
      <QueryState query={query} operation="tasks.list">
        {({ tasks }) =>
          tasks.length === 0 ? (
            <Note>{t('deletions_empty')}</Note>
          ) : (
            tasks.map((task) => <DeletionCard key={task.id} task={task} />)
          )
        }
      </QueryState>
    </Stack>
  );
}
