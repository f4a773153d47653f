import { Alert } from '@mantine/core';
import { ShieldAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../session/use-session.ts';
import type { Case } from './case-orders.ts';

/** Says to a moderator that a case is about themselves; nothing for other cases. */
export function OwnCaseNotice({ current }: { readonly current: Case }) {
  const { t } = useTranslation('reports');
  const me = useMe();
  if (current.user_id !== me.user_id) return null;
  return (
    <Alert
      role="note"
      color="orange"
      variant="outline"
      icon={<ShieldAlert aria-hidden />}
      title={t('own_case')}
    >
      {t('own_case_hint')}
    </Alert>
  );
}
