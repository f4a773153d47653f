import { Alert, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** What to know before media are deleted because nothing seems to show them. */
export function OrphansWarning() {
  const { t } = useTranslation('media');
  return (
    <Alert
      color="orange"
      variant="outline"
      icon={<TriangleAlert aria-hidden />}
      title={t('orphans_title')}
      mb="sm"
      py="xs"
    >
      <Text size="sm">{t('orphans_encrypted')}</Text>
      <Text size="sm">{t('orphans_young')}</Text>
    </Alert>
  );
}
