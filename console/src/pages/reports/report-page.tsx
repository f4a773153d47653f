import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { CaseView } from './case/case-view.tsx';
import { KeysButton } from './keys/keys-dialog.tsx';
import './reports.css';
import { SubjectTitle, useSubjectTitle } from './desk/subject-title.tsx';
import { useKeys } from './keys/use-keys.ts';
import { useCaseDesk } from './orders/use-case-desk.tsx';

/** One case, by its id or that of one of its reports. */
export function ReportPage() {
  const { t } = useTranslation('reports');
  const { reportId } = useParams({ from: '/reports/$reportId' });
  const { data } = useRead('reports.get', { report_id: reportId });
  const titleOf = useSubjectTitle();
  const desk = useCaseDesk({ withList: false });
  useKeys(desk.keysFor(() => data?.case_id));
  return (
    <Page
      title={data === undefined ? t('case') : titleOf(data)}
      heading={data === undefined ? t('case') : <SubjectTitle subject={data} />}
      actions={
        <>
          <ButtonLink to="/reports" size="xs" variant="default">
            {t('to_inbox')}
          </ButtonLink>
          <KeysButton onClick={desk.showKeys} />
        </>
      }
    >
      <div className="report-page">
        <CaseView id={reportId} desk={desk} />
      </div>
      {desk.dialogs}
    </Page>
  );
}
