import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Time } from '../../ui/time.tsx';

/** When a token expires, or that it has. */
export function Expiry({ ms }: { readonly ms: number | null }) {
  const { t } = useTranslation('access');
  if (ms === null) return t('no_expiry');
  if (ms > Date.now()) return <Time ms={ms} />;
  return (
    <Badge variant="outline" color="red" tt="none">
      {t('expired')}
    </Badge>
  );
}
