import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/page.tsx';
import { Note } from '../../ui/query-state.tsx';

/** To be written. */
export function TaskPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.tasks')}>
      <Note>{t('state.empty')}</Note>
    </Page>
  );
}
