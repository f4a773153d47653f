import { Group, Progress, Text } from '@mantine/core';
import type { Task } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import { Mark } from './mark.tsx';

/** The states in which a task does nothing any more. */
export const ENDED: ReadonlySet<string> = new Set(['complete', 'failed', 'cancelled']);

const COLOURS = {
  scheduled: 'gray',
  active: 'blue',
  complete: 'green',
  failed: 'red',
  cancelled: 'orange',
} as const;
const WHOLE = 100;

/** The state of a task, and how far it is. A later server may have states that the console does not know. */
export function TaskProgress({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks');
  const format = useFormat();
  const { state, cancelling, progress } = task;
  const { done = 0, total = null } = progress ?? {};
  const known = Object.hasOwn(COLOURS, state) ? (state as keyof typeof COLOURS) : undefined;
  const words =
    total === null
      ? t('count', { done: format.number(done) })
      : t('of', { done: format.number(done), total: format.number(total) });
  const share = state === 'complete' ? WHOLE : total ? Math.min((done / total) * WHOLE, WHOLE) : 0;
  return (
    <Group gap="xs" wrap="nowrap">
      <Mark colour={known === undefined ? 'gray' : COLOURS[known]}>
        {cancelling ? t('cancelling') : known === undefined ? state : t(known)}
      </Mark>
      <Progress
        value={share}
        striped={state === 'active'}
        style={{ flex: 1, minWidth: 40 }}
        aria-label={`${t('progress')}: ${words}`}
      />
      <Text size="xs" style={{ flexShrink: 0 }}>
        {words}
      </Text>
    </Group>
  );
}
