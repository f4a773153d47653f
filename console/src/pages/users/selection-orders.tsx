import { Button, Menu } from '@mantine/core';
import type { UserListEntry } from '@steward/sdk';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowSource } from '../../api/row-source.ts';
import { useCan } from '../../api/use-can.ts';
import type { Params } from '../../client/operation.ts';
import { BulkDialog } from '../../ui/order/bulk-dialog.tsx';
import { SelectionBar } from '../../ui/table/selection-bar.tsx';
import type { Selection } from '../../ui/table/use-selection.ts';

type BulkOperation =
  | 'users.put'
  | 'users.suspend'
  | 'users.shadowBan'
  | 'users.liftShadowBan'
  | 'users.deactivate';

interface BulkOrder {
  readonly key:
    | 'lock'
    | 'unlock'
    | 'suspend'
    | 'unsuspend'
    | 'shadow_ban'
    | 'unshadow_ban'
    | 'approve'
    | 'deactivate';
  readonly operation: BulkOperation;
  readonly paramsOf: (id: string) => { [O in BulkOperation]: Params<O> }[BulkOperation];
  readonly danger?: boolean;
}

const ORDERS: readonly BulkOrder[] = [
  { key: 'lock', operation: 'users.put', paramsOf: (id) => ({ user_id: id, locked: true }) },
  { key: 'unlock', operation: 'users.put', paramsOf: (id) => ({ user_id: id, locked: false }) },
  { key: 'suspend', operation: 'users.suspend', paramsOf: (id) => ({ user_id: id, suspend: true }) },
  { key: 'unsuspend', operation: 'users.suspend', paramsOf: (id) => ({ user_id: id, suspend: false }) },
  { key: 'shadow_ban', operation: 'users.shadowBan', paramsOf: (id) => ({ user_id: id }) },
  { key: 'unshadow_ban', operation: 'users.liftShadowBan', paramsOf: (id) => ({ user_id: id }) },
  { key: 'approve', operation: 'users.put', paramsOf: (id) => ({ user_id: id, approved: true }) },
  { key: 'deactivate', operation: 'users.deactivate', paramsOf: (id) => ({ user_id: id }), danger: true },
];

interface SelectionOrdersProps {
  readonly selection: Selection;
  readonly rows: RowSource<UserListEntry>;
  readonly idOf: (user: UserListEntry) => string;
  /** Whether accounts of this server wait for approval at all. */
  readonly approvals: boolean;
}

/** The orders for all accounts that are selected. */
export function SelectionOrders({ selection, rows, idOf, approvals }: SelectionOrdersProps) {
  const { t } = useTranslation('users');
  const can = useCan();
  const [order, setOrder] = useState<BulkOrder>();
  const orders = ORDERS.filter(({ key, operation }) => can(operation) && (key !== 'approve' || approvals));
  if (selection.size === 0 || orders.length === 0) return null;
  return (
    <SelectionBar selection={selection} rows={rows} idOf={idOf}>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="compact-sm" rightSection={<ChevronDown size={14} aria-hidden />}>
            {t('bulk.orders')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {orders.map((each) => (
            <Menu.Item
              key={each.key}
              color={each.danger ? 'var(--mantine-color-error)' : undefined}
              onClick={() => setOrder(each)}
            >
              {t(`orders.${each.key}.title`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {order !== undefined && (
        <BulkDialog
          opened
          onClose={() => setOrder(undefined)}
          operation={order.operation}
          title={t(`orders.${order.key}.title`)}
          consequences={[t(`orders.${order.key}.effect`)]}
          danger={order.danger}
          // The number says how far the order reaches, which a habit does not answer.
          typeToConfirm={order.danger ? String(selection.size) : undefined}
          ids={selection.ids}
          paramsOf={order.paramsOf as (id: string) => Params<BulkOperation>}
        />
      )}
    </SelectionBar>
  );
}
