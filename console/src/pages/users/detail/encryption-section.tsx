import type { DeviceEncryption, GetEncryptionResponse } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Fields } from '../../../ui/fields.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { PlainTable } from './plain-table.tsx';
import { Section } from './section.tsx';

/** Which devices of an account are verified, what waits for them, and the backup of their keys. */
export function EncryptionSection({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const query = useRead('users.getEncryption', { user_id: userId });
  return (
    <Section title={t('encryption.title')}>
      <QueryState query={query} operation="users.getEncryption">
        {(encryption) => <Encryption encryption={encryption} />}
      </QueryState>
    </Section>
  );
}

function Encryption({ encryption }: { readonly encryption: GetEncryptionResponse }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const format = useFormat();
  const { cross_signing: crossSigning, key_backup: backup, devices } = encryption;
  return (
    <>
      <Fields
        fields={[
          [t('encryption.cross_signing'), common(crossSigning ? 'table.yes' : 'table.no')],
          [
            t('encryption.backup'),
            backup === null
              ? t('encryption.no_backup')
              : t('encryption.backup_of', {
                  version: backup.version,
                  count: backup.count,
                  formatted: format.number(backup.count),
                }),
          ],
        ]}
      />
      {devices.length > 0 && (
        <PlainTable
          label={t('encryption.title')}
          minWidth={560}
          head={[
            t('devices.id'),
            t('encryption.state'),
            t('encryption.waiting'),
            t('encryption.oldest_waiting'),
          ]}
          rows={devices.map((device) => [
            device.device_id,
            [
              <bdi key="id">{device.device_id}</bdi>,
              t(`encryption.${stateOf(device)}`),
              format.number(device.waiting_messages),
              device.oldest_waiting_ms === null
                ? common('time.none')
                : format.duration(device.oldest_waiting_ms),
            ],
          ])}
        />
      )}
    </>
  );
}

function stateOf({ has_keys: hasKeys, verified }: DeviceEncryption) {
  if (!hasKeys) return 'without_keys';
  return verified ? 'verified' : 'unverified';
}
