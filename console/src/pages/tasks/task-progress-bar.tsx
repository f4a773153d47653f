import { Group, Progress, Text } from '@mantine/core';
import type { Task } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { progressKeyOf } from './task-words.ts';

const WHOLE = 100;

/** How far a task is. */
export function TaskProgressBar({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks');
  const format = useFormat();
  const { done = 0, total = null } = task.progress ?? {};
  const words = t(progressKeyOf(task), { done: format.number(done), total: format.number(total ?? 0) });
  const share = task.state === 'complete' ? WHOLE : total ? Math.min((done / total) * WHOLE, WHOLE) : 0;
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        value={share}
        striped={task.state === 'active'}
        style={{ flex: 1 }}
        aria-label={`${t('progress')}: ${words}`}
      />
      <Text size="xs">{words}</Text>
    </Group>
  );
}
