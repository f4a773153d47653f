import { ActionIcon, Group, Title, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ReportLink } from '../../ui/links.tsx';
import { Page } from '../../ui/page.tsx';
import { CaseView } from './case/case-view.tsx';
import type { Case } from './desk/case-orders.ts';
import { Inbox, type InboxHandle } from './inbox/inbox.tsx';
import { KeysButton } from './keys/keys-dialog.tsx';
import './reports.css';
import { SectionLevel } from './desk/section.tsx';
import { SubjectIcon, SubjectTitle } from './desk/subject-title.tsx';
import { useKeys } from './keys/use-keys.ts';
import { useCaseDesk } from './orders/use-case-desk.tsx';

/** From this width on, the list and a case have room side by side. */
const WIDE = '(min-width: 1180px)';

/** The moderation desk: the cases, and the one that is open, beside the list or in its place. */
export function ReportsPage() {
  const { t } = useTranslation('reports');
  const search = useSearch({ from: '/reports' });
  const navigate = useNavigate({ from: '/reports' });
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const inbox = useRef<InboxHandle>(null);
  const open = search.case === undefined ? undefined : String(search.case);

  const show = (caseId: string | undefined, replace = false) =>
    void navigate({ search: (before) => ({ ...before, case: caseId }), replace });
  const desk = useCaseDesk({ withList: true, onDecide: (caseId) => show(caseId, open !== undefined) });
  const showAtCursor = () => {
    const caseId = inbox.current?.caseAtCursor();
    if (caseId !== undefined) show(caseId, open !== undefined);
  };
  const next = () => inbox.current?.move(1);
  const previous = () => inbox.current?.move(-1);
  useKeys({
    ...desk.keysFor(() => open ?? inbox.current?.caseAtCursor()),
    ...{ j: next, ArrowDown: next, k: previous, ArrowUp: previous },
    ...{ o: showAtCursor, Enter: showAtCursor },
    x: () => inbox.current?.toggle(false),
    X: () => inbox.current?.toggle(true),
    '/': () => inbox.current?.search(),
    ...(open === undefined ? {} : { Escape: () => show(undefined) }),
  });

  return (
    <Page
      title={t('title')}
      actions={<KeysButton onClick={desk.showKeys} />}
      fill={wide || open === undefined}
    >
      <div className="reports-panes" data-open={open !== undefined || undefined}>
        {(wide || open === undefined) && (
          <Inbox search={search} open={open} onFollow={(caseId) => show(caseId, true)} handle={inbox} />
        )}
        {open !== undefined && (
          <section
            className="reports-case"
            aria-label={t('case')}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
            tabIndex={0}
          >
            <SectionLevel value={3}>
              <CaseView
                id={open}
                desk={desk}
                onDecided={(decided) => show(inbox.current?.caseAfter(decided), true)}
                heading={(current) => (
                  <CaseHeading current={current} wide={wide} onClose={() => show(undefined)} />
                )}
              />
            </SectionLevel>
          </section>
        )}
      </div>
      {desk.dialogs}
    </Page>
  );
}

interface CaseHeadingProps {
  readonly current: Case;
  readonly wide: boolean;
  readonly onClose: () => void;
}

function CaseHeading({ current, wide, onClose }: CaseHeadingProps) {
  const { t } = useTranslation('reports');
  const heading = useRef<HTMLHeadingElement>(null);
  // In place of the list, readers of the screen begin with the case.
  useEffect(() => {
    if (!wide) heading.current?.focus();
  }, [wide]);
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
      <Group gap="xs" wrap="nowrap" align="center" style={{ minWidth: 0 }}>
        {!wide && (
          <ActionIcon variant="default" onClick={onClose} aria-label={t('to_inbox')}>
            <ArrowLeft size={16} aria-hidden />
          </ActionIcon>
        )}
        <SubjectIcon kind={current.kind} size={20} />
        <Title order={2} size="h4" ref={heading} tabIndex={-1} className="report-heading">
          <SubjectTitle subject={current} />
        </Title>
      </Group>
      <Group gap="xs" wrap="nowrap" style={{ whiteSpace: 'nowrap' }}>
        {wide && <ReportLink id={current.case_id}>{t('own_page')}</ReportLink>}
        {wide && (
          <Tooltip label={t('key', { key: 'Esc' })}>
            <ActionIcon variant="default" onClick={onClose} aria-label={t('close_case')}>
              <X size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
    </Group>
  );
}
