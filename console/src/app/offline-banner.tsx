import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** Says that the device has no network. */
export function OfflineBanner() {
  const { t } = useTranslation();
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Alert role="alert" color="orange" variant="outline" icon={<WifiOff aria-hidden />} mb="md">
      {t('live.offline')}
    </Alert>
  );
}
