import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../session/use-session.ts';
import { IdInput } from '../../../ui/input/id-input.tsx';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';
import type { AskedOrder, Case } from '../desk/case-orders.ts';
import { CaseOrderDialog } from './case-order-dialog.tsx';

interface CaseDialogProps {
  readonly current: Case;
  readonly onClose: () => void;
}

/** The dialog of an order about a case. */
export function CaseDialog({ order, ...props }: CaseDialogProps & { readonly order: AskedOrder }) {
  const { t } = useTranslation('reports');
  const report = { report_id: props.current.case_id };
  switch (order) {
    case 'assign':
      return <AssignDialog {...props} />;
    case 'assign_other':
      return <AssignOtherDialog {...props} />;
    case 'note':
      return <NoteDialog {...props} />;
    case 'unassign':
      return (
        <CaseOrderDialog
          {...props}
          operation="reports.unassign"
          title={t('unassign')}
          consequences={[t('unassign_effect', { user: props.current.assignee ?? '' })]}
          params={report}
        />
      );
    case 'triage':
      return (
        <CaseOrderDialog
          {...props}
          operation="reports.markTriaged"
          title={t('triage')}
          consequences={[t('triage_effect')]}
          params={report}
        />
      );
    case 'escalate':
      return (
        <CaseOrderDialog
          {...props}
          operation="reports.escalate"
          title={t('escalate')}
          consequences={[t('escalate_effect')]}
          params={report}
        />
      );
    case 'reopen':
      return (
        <CaseOrderDialog
          {...props}
          operation="reports.reopen"
          title={t('reopen')}
          consequences={[t('reopen_effect')]}
          params={report}
        />
      );
  }
}

function AssignDialog(props: CaseDialogProps) {
  const { t } = useTranslation('reports');
  const { assignee, case_id: id } = props.current;
  return (
    <CaseOrderDialog
      {...props}
      operation="reports.assign"
      title={t('assign')}
      consequences={[assignee === null ? t('assign_effect') : t('take_over_effect', { user: assignee })]}
      params={{ report_id: id }}
    />
  );
}

function AssignOtherDialog(props: CaseDialogProps) {
  const { t } = useTranslation('reports');
  const me = useMe();
  const [user, setUser] = useState('');
  const server = me.user_id.slice(me.user_id.indexOf(':'));
  return (
    <CaseOrderDialog
      {...props}
      operation="reports.assign"
      title={t('assign_other')}
      consequences={[t('assign_effect')]}
      params={user === '' ? undefined : { report_id: props.current.case_id, user_id: user }}
    >
      <IdInput
        label={t('assignee')}
        placeholder={`@name${server}`}
        value={user}
        onValue={setUser}
        required
        data-autofocus
      />
    </CaseOrderDialog>
  );
}

const MAX_NOTE = 4_000;

/** A note does not depend on what others changed, so it has no precondition. */
function NoteDialog({ current, onClose }: CaseDialogProps) {
  const { t } = useTranslation('reports');
  const [text, setText] = useState('');
  return (
    <OrderDialog
      opened
      onClose={onClose}
      operation="reports.addNote"
      title={t('note')}
      consequences={[t('note_effect')]}
      params={text.trim() === '' ? undefined : { report_id: current.case_id, text: text.trim() }}
      reasonAs="none"
    >
      <Textarea
        label={t('note_text')}
        description={t('note_send')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        }}
        maxLength={MAX_NOTE}
        autosize
        minRows={4}
        maxRows={14}
        required
        data-autofocus
      />
    </OrderDialog>
  );
}
