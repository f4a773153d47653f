import { Group, Stack, Text, Title } from '@mantine/core';
import type { MediaInfo } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { AddHashesButton } from './add-hashes-button.tsx';
import { DeleteMediumButton } from './delete-medium-button.tsx';
import { useConsequences } from './use-consequences.ts';

interface MediumOrdersProps {
  readonly serverName: string;
  readonly info: MediaInfo;
  readonly onGone: (gone: boolean) => void;
}

/** The orders about one medium that change something. */
export function MediumOrders({ serverName, info, onGone }: MediumOrdersProps) {
  const { t } = useTranslation('media');
  const can = useCan();
  const consequencesOf = useConsequences();
  const { media_id, quarantined_by: by, safe_from_quarantine: safe, media_origin: origin } = info;
  const one = { server_name: serverName, media_id };
  const isLocal = origin === null;
  if (!can('media.quarantine') && !can('media.delete')) return null;
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h4">
        {t('medium.orders')}
      </Title>
      {safe && by === null && <Text size="sm">{t('medium.protected_hint')}</Text>}
      <Group gap="xs">
        {by === null && !safe && (
          <OrderButton
            operation="media.quarantine"
            title={t('quarantine.title')}
            consequences={consequencesOf('quarantine')}
            params={one}
            danger
          />
        )}
        {by !== null && (
          <OrderButton
            operation="media.unquarantine"
            title={t('release.title')}
            consequences={consequencesOf('release')}
            params={one}
          />
        )}
        {isLocal && safe === false && (
          <OrderButton
            operation="media.protect"
            title={t('protect.title')}
            consequences={consequencesOf('protect')}
            params={{ media_id }}
          />
        )}
        {isLocal && safe && (
          <OrderButton
            operation="media.unprotect"
            title={t('unprotect.title')}
            consequences={consequencesOf('unprotect')}
            params={{ media_id }}
          />
        )}
        {info.sha256 !== null && <AddHashesButton sha256={info.sha256} text={t('medium.listed')} />}
        {isLocal && <DeleteMediumButton serverName={serverName} mediaId={media_id} onGone={onGone} />}
      </Group>
    </Stack>
  );
}
