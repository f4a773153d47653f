import { Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Operation } from '../../../client/operation.ts';
import { OrderDialog, type OrderDialogProps } from '../../../ui/order/order-dialog.tsx';
import { CaseState, Severity } from '../desk/case-badges.tsx';
import type { Case } from '../desk/case-orders.ts';
import { ChangedNotice } from '../desk/changed-notice.tsx';
import { OwnCaseNotice } from '../desk/own-case-notice.tsx';
import { SubjectTitle } from '../desk/subject-title.tsx';

interface CaseOrderDialogProps<O extends Operation>
  extends Pick<
    OrderDialogProps<O>,
    'operation' | 'title' | 'params' | 'consequences' | 'danger' | 'typeToConfirm' | 'reasonAs' | 'label'
  > {
  /** The case as it is now. */
  readonly current: Case;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** The orders that moderators should not give about themselves. */
const DECISIONS: ReadonlySet<Operation> = new Set(['reports.reopen']);

/**
 * An order about a case as its moderator saw it when the dialog opened. When another moderator has changed the case since, the server
 * refuses it, and the dialog asks to look again.
 */
export function CaseOrderDialog<O extends Operation>(props: CaseOrderDialogProps<O>) {
  const { current, children, params, ...dialog } = props;
  const { t } = useTranslation('reports');
  const [seen, setSeen] = useState(current);
  const isSeen = seen.etag === current.etag;
  return (
    <OrderDialog
      opened
      {...dialog}
      params={isSeen ? params : undefined}
      headers={{ 'if-match': seen.etag }}
      reasonAs={dialog.reasonAs ?? 'parameter'}
    >
      <Group gap="xs" style={{ overflowWrap: 'anywhere' }}>
        <span>
          <SubjectTitle subject={current} />
        </span>
        <CaseState state={current.state} />
        <Severity severity={current.severity} />
      </Group>
      {!isSeen && (
        <ChangedNotice
          before={seen}
          after={current}
          seen={t('looked_again')}
          onSeen={() => setSeen(current)}
        />
      )}
      {DECISIONS.has(dialog.operation) && <OwnCaseNotice current={current} />}
      {children}
    </OrderDialog>
  );
}
