import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { Page } from '../../ui/page.tsx';
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
      <Tabs
        value={String(tab)}
        onChange={(next) => navigate({ search: next === 'log' ? {} : { tab: next ?? undefined } })}
        keepMounted={false}
        className="tabs-fill"
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="log">{t('tab_log')}</Tabs.Tab>
          <Tabs.Tab value="proof">{t('tab_proof')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="log" className="tab-fill">
          <AuditLog />
        </Tabs.Panel>
        <Tabs.Panel value="proof" className="tab-fill">
          <AuditProof />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
