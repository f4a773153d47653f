import { Button, Menu, Radio, Select, Stack, Text } from '@mantine/core';
import type { NewReportOrder } from '@steward/sdk';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useMe } from '../../../session/use-session.ts';
import { IdInput } from '../../../ui/input/id-input.tsx';
import type { Case } from '../desk/case-orders.ts';
import { CaseOrderDialog } from './case-order-dialog.tsx';
import { OrderEditor } from './order-editor.tsx';
import {
  isTyped,
  mainTargetOf,
  ORDER_KINDS,
  type OrderDraft,
  type OrderKind,
  scopesOfKind,
  toOrder,
} from './order-kinds.ts';
import { useOrderWords } from './use-order-words.ts';

interface DecideDialogProps {
  readonly current: Case;
  readonly onClose: () => void;
}

const OUTCOMES = ['actioned', 'dismissed', 'duplicate'] as const;
const MAX_ORDERS = 20;

/** Decides a case: its outcome, and what is done. */
export function DecideDialog({ current, onClose }: DecideDialogProps) {
  const { t } = useTranslation('reports');
  const me = useMe();
  const [outcome, setOutcome] = useState<(typeof OUTCOMES)[number]>();
  const [original, setOriginal] = useState('');
  const [notify, setNotify] = useState<string>('default');
  const [drafts, setDrafts] = useState<readonly OrderDraft[]>([]);
  const wordsOf = useOrderWords(current);
  const given = outcome === 'actioned' ? drafts : [];
  const orders = given.map((draft) => toOrder(draft, current, me.user_id));
  const complete =
    outcome !== undefined && !orders.includes(undefined) && (outcome !== 'duplicate' || original !== '');
  const typed = given.find(({ kind }) => isTyped(kind));
  return (
    <CaseOrderDialog
      operation="reports.resolve"
      current={current}
      onClose={onClose}
      title={t('decide')}
      label={given.length === 0 ? t('resolve') : t('resolve_with', { count: given.length })}
      danger={given.length > 0}
      consequences={[t('decide_effect'), ...given.map(wordsOf)]}
      typeToConfirm={typed === undefined ? undefined : mainTargetOf(typed, current) || undefined}
      params={
        complete
          ? {
              report_id: current.case_id,
              outcome,
              ...(outcome === 'duplicate' ? { duplicate_of: original } : {}),
              ...(notify === 'default' ? {} : { notify: notify === 'yes' }),
              ...(orders.length === 0 ? {} : { orders: orders as readonly NewReportOrder[] }),
            }
          : undefined
      }
    >
      <Radio.Group
        label={t('outcome')}
        value={outcome ?? null}
        onChange={(value) => setOutcome(OUTCOMES.find((each) => each === value))}
        required
      >
        <Stack gap="xs" mt="xs">
          {OUTCOMES.map((each, index) => (
            <Radio
              key={each}
              value={each}
              label={t(`outcome_${each}`)}
              description={t(`outcome_${each}_hint`)}
              data-autofocus={index === 0 || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      {outcome === 'duplicate' && (
        <IdInput
          label={t('duplicate_of')}
          description={t('duplicate_of_hint')}
          value={original}
          onValue={setOriginal}
          required
        />
      )}
      {outcome === 'actioned' && <Orders drafts={drafts} current={current} onChange={setDrafts} />}
      <Select
        label={t('notify')}
        data={[
          { value: 'default', label: t('notify_default') },
          { value: 'yes', label: t('notify_yes') },
          { value: 'no', label: t('notify_no') },
        ]}
        value={notify}
        onChange={(value) => setNotify(value ?? 'default')}
        allowDeselect={false}
      />
    </CaseOrderDialog>
  );
}

interface OrdersProps {
  readonly drafts: readonly OrderDraft[];
  readonly current: Case;
  readonly onChange: (drafts: readonly OrderDraft[]) => void;
}

function Orders({ drafts, current, onChange }: OrdersProps) {
  const { t } = useTranslation('reports');
  const can = useCan();
  const added = useRef(0);
  const kinds = ORDER_KINDS.filter((kind) => can('reports.resolve', ...scopesOfKind(kind)));
  const add = (kind: OrderKind) => {
    added.current += 1;
    onChange([...drafts, { key: added.current, kind, texts: {}, flags: {} }]);
  };
  return (
    <Stack gap="sm">
      {drafts.length > 1 && <Text size="sm">{t('orders_sequence')}</Text>}
      {drafts.map((draft, index) => (
        <OrderEditor
          key={draft.key}
          draft={draft}
          place={index + 1}
          last={index === drafts.length - 1}
          current={current}
          onChange={(next) => onChange(drafts.map((each) => (each.key === next.key ? next : each)))}
          onRemove={() => onChange(drafts.filter(({ key }) => key !== draft.key))}
          onMove={(by) => onChange(moved(drafts, index, by))}
        />
      ))}
      {drafts.length < MAX_ORDERS && kinds.length > 0 && (
        <Menu position="bottom-start" withinPortal={false}>
          <Menu.Target>
            <Button size="xs" variant="default" leftSection={<Plus size={16} aria-hidden />} w="fit-content">
              {t('add_order')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {kinds.map((kind) => (
              <Menu.Item key={kind} onClick={() => add(kind)}>
                {t(`order_${kind}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Stack>
  );
}

/** The orders after one of them moved by one place. */
function moved(drafts: readonly OrderDraft[], index: number, by: -1 | 1): readonly OrderDraft[] {
  const next = [...drafts];
  const [draft] = next.splice(index, 1);
  if (draft !== undefined) next.splice(index + by, 0, draft);
  return next;
}
