import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { Page } from '../../ui/page.tsx';
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
      <Tabs
        value={String(tab)}
        onChange={(next) => navigate({ search: next === 'inventory' ? {} : { tab: next ?? undefined } })}
        keepMounted={false}
        className="tabs-fill"
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="inventory">{t('tab_inventory')}</Tabs.Tab>
          <Tabs.Tab value="usage">{t('tab_usage')}</Tabs.Tab>
          <Tabs.Tab value="hashes">{t('tab_hashes')}</Tabs.Tab>
          <Tabs.Tab value="quarantine">{t('tab_quarantine')}</Tabs.Tab>
          {maintains && <Tabs.Tab value="maintenance">{t('tab_maintenance')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="inventory" className="tab-fill">
          <Inventory />
        </Tabs.Panel>
        <Tabs.Panel value="usage" className="tab-fill">
          <Usage />
        </Tabs.Panel>
        <Tabs.Panel value="hashes" className="tab-fill">
          <KnownBad />
        </Tabs.Panel>
        <Tabs.Panel value="quarantine" className="tab-fill">
          <QuarantineChanges />
        </Tabs.Panel>
        <Tabs.Panel value="maintenance">
          <Maintenance />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
