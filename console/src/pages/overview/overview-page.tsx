import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { Page } from '../../ui/page.tsx';
import { Figures } from './figures.tsx';
import { Health } from './health.tsx';
import { History } from './history.tsx';
import { RecentEvents } from './recent-events.tsx';

/** What happens on the server, and whether it works as it should. */
export function OverviewPage() {
  const { t } = useTranslation('overview');
  const can = useCan();
  const reads = can('statistics.getOverview');
  return (
    <Page title={t('title')}>
      <Stack gap="lg">
        {!reads && <Text>{t('no_figures')}</Text>}
        <Figures />
        {reads && <Health />}
        {reads && <History />}
        {can('events.list') && <RecentEvents />}
      </Stack>
    </Page>
  );
}
