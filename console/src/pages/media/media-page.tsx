import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Inventory } from './inventory.tsx';
import { KnownBad } from './known-bad.tsx';
import { Maintenance } from './maintenance.tsx';
import { QuarantineChanges } from './quarantine-changes.tsx';
import { Usage } from './usage.tsx';

/** The media of the server: all of them, who uploaded them, what is refused, and what is cleared away. */
export function MediaPage() {
  const { t } = useTranslation('media');
  const can = useCan();
  const { tab = 'inventory' } = useSearch({ from: '/media' });
  const navigate = useNavigate({ from: '/media' });
  const maintains = can('media.deleteBefore') || can('media.purgeCache') || can('media.move');
  return (
    <Page title={t('title')} fill>
      <PageTabs
        tab={String(tab)}
        onTab={(next) => navigate({ search: { tab: next } })}
        tabs={[
          { id: 'inventory', label: t('tab_inventory'), content: <Inventory /> },
          { id: 'usage', label: t('tab_usage'), content: <Usage /> },
          { id: 'hashes', label: t('tab_hashes'), content: <KnownBad /> },
          { id: 'quarantine', label: t('tab_quarantine'), content: <QuarantineChanges /> },
          {
            id: 'maintenance',
            label: maintains ? t('tab_maintenance') : undefined,
            content: <Maintenance />,
            scrolls: true,
          },
        ]}
      />
    </Page>
  );
}
