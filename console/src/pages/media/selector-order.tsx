import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrder } from '../../api/use-order.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { ErrorNotice } from '../../ui/errors/error-notice.tsx';
import { OrderForm } from '../../ui/order/order-form.tsx';
import type { MediaOrder } from './media-orders.ts';
import type { Selector } from './media-search.ts';
import { OrderProgress } from './order-progress.tsx';
import { SelectorWords } from './selector-words.tsx';
import { useConsequences } from './use-consequences.ts';

interface SelectorOrderProps {
  readonly order: MediaOrder;
  readonly selector: Selector;
  readonly onClose: () => void;
}

interface Found {
  readonly total: number;
  readonly total_bytes: number;
}

/** Tries an order, which says how many media it concerns; gives it when its user confirms that; and follows its task. */
export function SelectorOrder({ order: { key, title, all }, selector, onClose }: SelectorOrderProps) {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const format = useFormat();
  const consequencesOf = useConsequences();
  const trial = useOrder(all);
  const order = useOrder(all);
  const [found, setFound] = useState<Found>();
  const [taskId, setTaskId] = useState<string>();
  const isDeletion = key === 'delete';
  const { send } = trial;

  useEffect(() => {
    // The server may require a reason for whatever needs this scope.
    send({ ...selector, dry_run: true }, t('all.trial_reason')).then(setFound, () => undefined);
  }, []);

  if (taskId !== undefined) return <OrderProgress taskId={taskId} onClose={onClose} />;
  if (trial.error !== null) return <ErrorNotice error={trial.error} />;
  if (found === undefined) {
    return (
      <Group role="status">
        <Loader size="sm" aria-hidden />
        <Text>{t('all.counting')}</Text>
      </Group>
    );
  }
  if (found.total === 0) {
    return (
      <Stack>
        <Text role="status">{t('all.found_none')}</Text>
        {isDeletion && selector.orphaned === true && <Text size="sm">{t('orphans_young')}</Text>}
        <Group justify="flex-end">
          <Button onClick={onClose}>{common('order.close')}</Button>
        </Group>
      </Stack>
    );
  }
  const words = t('all.found', { total: format.number(found.total), bytes: format.bytes(found.total_bytes) });
  return (
    <OrderForm
      order={order}
      params={selector}
      consequences={[
        ...consequencesOf(key),
        ...(isDeletion ? [t('delete.effect_all')] : []),
        t('all.still'),
        t('all.cancel'),
      ]}
      label={t(title)}
      danger={isDeletion}
      typeToConfirm={isDeletion ? String(found.total) : undefined}
      onCancel={onClose}
      onDone={({ task_id: id }) => (id === undefined ? onClose() : setTaskId(id))}
    >
      <Stack gap="xs">
        <Text fw={600} role="status">
          {words}
        </Text>
        <SelectorWords selector={selector} />
        {isDeletion && selector.orphaned === true && (
          <Alert color="red" variant="outline" title={t('orphans_title')}>
            <Text size="sm">{t('orphans_encrypted')}</Text>
          </Alert>
        )}
      </Stack>
    </OrderForm>
  );
}
