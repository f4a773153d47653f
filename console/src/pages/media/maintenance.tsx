import { Card, Checkbox, NumberInput, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { Note } from '../../ui/query-state.tsx';

/** Orders that clear media away, or move their bytes. */
export function Maintenance() {
  const { t } = useTranslation('media');
  const can = useCan();
  if (!can('media.deleteBefore') && !can('media.purgeCache') && !can('media.move'))
    return <Note>{t('maintenance.nothing')}</Note>;
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="md">
      {can('media.deleteBefore') && <DeleteUnused />}
      {can('media.purgeCache') && <PurgeCache />}
      {can('media.move') && <Move />}
    </SimpleGrid>
  );
}

function DeleteUnused() {
  const { t } = useTranslation('media');
  const [before, setBefore] = useState('');
  const [larger, setLarger] = useState<string | number>('');
  const [keep, setKeep] = useState(true);
  const beforeTs = Date.parse(before);
  return (
    <Section title={t('maintenance.unused')} hint={t('maintenance.unused_hint')}>
      <OrderButton
        operation="media.deleteBefore"
        title={t('maintenance.unused')}
        text={t('delete.title')}
        consequences={[t('maintenance.unused_effect'), t('delete.effect'), t('delete.effect_shown')]}
        params={
          Number.isNaN(beforeTs)
            ? undefined
            : {
                before_ts: beforeTs,
                keep_profiles: keep,
                ...(larger === '' ? {} : { size_gt: Number(larger) }),
              }
        }
        danger
        typeToConfirm={t('delete.confirm')}
        onDone={({ total }) => sayDeleted(t('maintenance.deleted', { count: total }))}
      >
        <BeforeInput value={before} onChange={setBefore} />
        <NumberInput
          label={t('maintenance.larger')}
          min={0}
          allowDecimal={false}
          value={larger}
          onChange={setLarger}
        />
        <Checkbox
          label={t('maintenance.keep_profiles')}
          checked={keep}
          onChange={(event) => setKeep(event.currentTarget.checked)}
        />
      </OrderButton>
    </Section>
  );
}

function PurgeCache() {
  const { t } = useTranslation('media');
  const [before, setBefore] = useState('');
  const beforeTs = Date.parse(before);
  return (
    <Section title={t('maintenance.cache')} hint={t('maintenance.cache_hint')}>
      <OrderButton
        operation="media.purgeCache"
        title={t('maintenance.cache')}
        text={t('delete.title')}
        consequences={[t('maintenance.cache_effect'), t('delete.effect')]}
        params={Number.isNaN(beforeTs) ? undefined : { before_ts: beforeTs }}
        danger
        typeToConfirm={t('delete.confirm')}
        onDone={({ deleted }) => sayDeleted(t('maintenance.deleted', { count: deleted }))}
      >
        <BeforeInput value={before} onChange={setBefore} />
      </OrderButton>
    </Section>
  );
}

function Move() {
  const { t } = useTranslation('media');
  const can = useCan();
  const navigate = useNavigate();
  const [speed, setSpeed] = useState<string | number>('');
  return (
    <Section title={t('maintenance.move')} hint={t('maintenance.move_hint')}>
      <OrderButton
        operation="media.move"
        title={t('maintenance.move')}
        text={t('maintenance.move')}
        consequences={[t('maintenance.move_effect'), t('maintenance.move_again')]}
        params={speed === '' ? {} : { bytes_per_second: Number(speed) }}
        done={t('maintenance.moving')}
        onDone={({ task_id: taskId }) => {
          if (can('tasks.get')) void navigate({ to: '/tasks/$taskId', params: { taskId } });
        }}
      >
        <NumberInput
          label={t('maintenance.speed')}
          min={1}
          allowDecimal={false}
          value={speed}
          onChange={setSpeed}
        />
      </OrderButton>
    </Section>
  );
}

interface SectionProps {
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Section({ title, hint, children }: SectionProps) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack align="flex-start" justify="space-between" h="100%">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" flex={1}>
          {hint}
        </Text>
        {children}
      </Stack>
    </Card>
  );
}

interface BeforeInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function BeforeInput({ value, onChange }: BeforeInputProps) {
  const { t } = useTranslation('media');
  return (
    <TextInput
      type="datetime-local"
      min="1980-01-01T00:00"
      label={t('maintenance.before')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function sayDeleted(message: string): void {
  notifications.show({ message, color: 'green' });
}
