import { Badge } from '@mantine/core';
import type { Task } from '@steward/sdk';
import { useTranslation } from 'react-i18next';

/** The states of tasks. */
export const TASK_STATES = ['scheduled', 'active', 'complete', 'failed', 'cancelled'] as const;

const COLOURS = {
  scheduled: 'gray',
  active: 'blue',
  complete: 'green',
  failed: 'red',
  cancelled: 'orange',
} as const;

/** The state of a task. A later server may have states that the console does not know. */
export function TaskState({ task: { state, cancelling } }: { readonly task: Task }) {
  const { t } = useTranslation('tasks');
  const known = TASK_STATES.find((each) => each === state);
  const words = cancelling ? t('cancelling') : known === undefined ? state : t(known);
  return (
    <Badge variant="outline" tt="none" color={known === undefined ? 'gray' : COLOURS[known]}>
      {words}
    </Badge>
  );
}
