import { Alert } from '@mantine/core';
import { EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** Says that the user may not read the content of rooms, and what they would read here. */
export function ContentNote({ what }: { readonly what: string }) {
  const { t } = useTranslation('rooms');
  return (
    <Alert variant="outline" color="gray" icon={<EyeOff aria-hidden />} title={t('content_withheld')}>
      {t('content_needs', { what })}
    </Alert>
  );
}
