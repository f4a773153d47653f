import { Group, NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import type { Webhook } from '@steward/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';

interface Draft {
  readonly by: 'time' | 'position';
  readonly since: string;
  readonly until: string;
  readonly after: number | string;
}

const EMPTY: Draft = { by: 'time', since: '', until: '', after: '' };

/** Sends a part of the feed again, as a task. */
export function ReplayWebhook({ webhook: { id } }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('access');
  const can = useCan();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(EMPTY);
  const change = (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields }));
  return (
    <OrderButton
      operation="webhooks.replay"
      title={t('replay_range')}
      text={t('replay_range_short')}
      consequences={[t('replay_range_effect'), t('replay_range_twice')]}
      params={paramsOf(id, draft)}
      onDone={({ task_id: taskId }) => {
        if (can('tasks.get')) void navigate({ to: '/tasks/$taskId', params: { taskId } });
      }}
      onClosed={() => setDraft(EMPTY)}
    >
      <SegmentedControl
        aria-label={t('replay_by')}
        data={[
          { value: 'time', label: t('replay_by_time') },
          { value: 'position', label: t('replay_by_position') },
        ]}
        value={draft.by}
        onChange={(by) => change({ by: by as Draft['by'] })}
      />
      <Group grow align="flex-start">
        {draft.by === 'time' ? (
          <TextInput
            type="datetime-local"
            label={t('replay_since')}
            value={draft.since}
            onChange={(event) => change({ since: event.currentTarget.value })}
            required
          />
        ) : (
          <NumberInput
            label={t('replay_after')}
            value={draft.after}
            onChange={(after) => change({ after })}
            min={0}
            allowDecimal={false}
            required
          />
        )}
        <TextInput
          type="datetime-local"
          label={t('replay_until')}
          value={draft.until}
          onChange={(event) => change({ until: event.currentTarget.value })}
        />
      </Group>
    </OrderButton>
  );
}

function paramsOf(id: string, { by, since, until, after }: Draft) {
  const until_ts = until === '' ? {} : { until_ts: Date.parse(until) };
  if (by === 'time') return since === '' ? undefined : { id, since_ts: Date.parse(since), ...until_ts };
  return after === '' ? undefined : { id, after: Number(after), ...until_ts };
}
