import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import type { Device } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useRead } from '../../../api/use-read.ts';
import { Note, QueryState } from '../../../ui/query-state.tsx';
import { useSelection } from '../../../ui/table/use-selection.ts';
import { Time } from '../../../ui/time.tsx';
import { AccountOrderButton } from './account-order-button.tsx';
import { EncryptionSection } from './encryption-section.tsx';
import { PlainTable } from './plain-table.tsx';
import { Section } from './section.tsx';

/** The devices of an account. */
export function DevicesTab({ userId }: { readonly userId: string }) {
  const query = useRead('devices.list', { user_id: userId });
  return (
    <>
      <QueryState query={query} operation="devices.list">
        {({ devices }) => <Devices userId={userId} devices={devices} />}
      </QueryState>
      <EncryptionSection userId={userId} />
    </>
  );
}

interface DevicesProps {
  readonly userId: string;
  readonly devices: readonly Device[];
}

function Devices({ userId, devices }: DevicesProps) {
  const { t } = useTranslation('users');
  const can = useCan();
  const selection = useSelection();
  const maySelect = can('devices.deleteMany');
  // Devices that are gone in the meantime do not count.
  const selected = devices.map((device) => device.device_id).filter(selection.has);
  if (devices.length === 0) return <Note>{t('devices.none')}</Note>;
  return (
    <Section
      title={t('tab.devices')}
      actions={
        selected.length > 0 && (
          <AccountOrderButton
            userId={userId}
            operation="devices.deleteMany"
            title={t('devices.delete_selected', { count: selected.length })}
            consequences={[t('devices.delete_effect'), t('devices.delete_effect_keys')]}
            params={{ user_id: userId, devices: selected }}
            danger
            onDone={selection.clear}
          />
        )
      }
    >
      <PlainTable
        label={t('tab.devices')}
        minWidth={860}
        head={[
          ...(maySelect ? [t('devices.selected')] : []),
          t('devices.id'),
          t('displayname'),
          t('devices.address'),
          t('devices.program'),
          t('last_seen'),
          t('orders_of_row'),
        ]}
        rows={devices.map((device) => [
          device.device_id,
          [
            ...(maySelect
              ? [
                  <Checkbox
                    key="select"
                    aria-label={t('devices.select', { id: device.device_id })}
                    checked={selection.has(device.device_id)}
                    onChange={(event) => selection.set([device.device_id], event.currentTarget.checked)}
                  />,
                ]
              : []),
            <Text key="id" span ff="monospace" size="sm">
              <bdi>{device.device_id}</bdi>
            </Text>,
            <bdi key="name">{device.display_name}</bdi>,
            device.last_seen_ip,
            <bdi key="program">{device.last_seen_user_agent}</bdi>,
            <Time key="seen" ms={device.last_seen_ts} />,
            <Group key="orders" gap="xs" wrap="nowrap">
              <RenameDevice device={device} />
              <AccountOrderButton
                userId={userId}
                operation="devices.delete"
                title={t('devices.delete')}
                consequences={[t('devices.delete_effect'), t('devices.delete_effect_keys')]}
                params={{ user_id: userId, device_id: device.device_id }}
                danger
                button={{ size: 'compact-xs' }}
              />
            </Group>,
          ],
        ])}
      />
    </Section>
  );
}

function RenameDevice({ device }: { readonly device: Device }) {
  const { t } = useTranslation('users');
  const [name, setName] = useState<string>();
  return (
    <AccountOrderButton
      userId={device.user_id}
      operation="devices.update"
      title={t('devices.rename')}
      consequences={[t('devices.rename_effect')]}
      params={
        name === undefined
          ? undefined
          : { user_id: device.user_id, device_id: device.device_id, display_name: name }
      }
      button={{ size: 'compact-xs' }}
      onDone={() => setName(undefined)}
    >
      <TextInput
        label={t('displayname')}
        value={name ?? device.display_name ?? ''}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </AccountOrderButton>
  );
}
