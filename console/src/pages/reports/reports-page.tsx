import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/page.tsx';
import { Note } from '../../ui/query-state.tsx';

/** To be written. */
export function ReportsPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.reports')}>
      <Note>{t('state.empty')}</Note>
    </Page>
  );
}
