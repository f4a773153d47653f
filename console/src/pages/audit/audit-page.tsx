import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Note } from '../../ui/query-state.tsx';
import { AuditLog } from './audit-log.tsx';
import { AuditProof } from './audit-proof.tsx';

/** The audit log: what was done and by whom, and the proof that the log was not changed. */
export function AuditPage() {
  const { t } = useTranslation(['audit', 'common']);
  const can = useCan();
  const { tab = 'log' } = useSearch({ from: '/audit' });
  const navigate = useNavigate({ from: '/audit' });
  if (!can('audit.list')) {
    return (
      <Page title={t('common:nav.audit')}>
        <Note>{t('common:state.not_permitted')}</Note>
      </Page>
    );
  }
  return (
    <Page title={t('common:nav.audit')} fill>
      <PageTabs
        tab={String(tab)}
        onTab={(next) => navigate({ search: { tab: next } })}
        tabs={[
          { id: 'log', label: t('tab_log'), content: <AuditLog /> },
          { id: 'proof', label: t('tab_proof'), content: <AuditProof /> },
        ]}
      />
    </Page>
  );
}
