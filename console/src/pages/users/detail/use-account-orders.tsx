import type { User } from '@steward/sdk';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Can, useCan } from '../../../api/use-can.ts';
import type { Operation, Params } from '../../../client/operation.ts';
import { useMe } from '../../../session/use-session.ts';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';
import { LoginAsDialog } from './login-as-dialog.tsx';
import { ReactivateDialog } from './reactivate-dialog.tsx';
import { ResetPasswordDialog } from './reset-password-dialog.tsx';
import { useRoomOrders } from './use-room-orders.tsx';
import type { UserOrder } from './user-order.ts';

const MAX_MEDIA = 10_000;

/** The orders without fields, by the key of their texts. */
type PlainKey =
  | 'lock'
  | 'unlock'
  | 'suspend'
  | 'unsuspend'
  | 'shadow_ban'
  | 'unshadow_ban'
  | 'approve'
  | 'deactivate'
  | 'erase'
  | 'make_admin'
  | 'unmake_admin'
  | 'cross_signing'
  | 'quarantine_media'
  | 'delete_media';

interface PlainOrder<O extends Operation> {
  readonly key: PlainKey;
  readonly operation: O;
  readonly params: Params<O>;
  readonly further?: readonly string[];
  /** Whether it can be given in the current state of the account. */
  readonly applies?: boolean;
  readonly danger?: boolean;
  readonly typeToConfirm?: string;
  readonly changesAccount?: boolean;
}

/** The orders about an account of this server that its reader may give, in groups. */
export function useAccountOrders(user: User): readonly (readonly UserOrder[])[] {
  const { t } = useTranslation('users');
  const can = useCan();
  const me = useMe();
  const id = user.name;
  const isSelf = me.user_id === id;
  const isActive = user.deactivated === 0;
  const plain = <O extends Operation>(order: PlainOrder<O>) => plainOrder(t, can, order);

  const rooms = useRoomOrders(id, true);
  return [
    [
      ...plain({
        key: user.locked ? 'unlock' : 'lock',
        operation: 'users.put',
        params: { user_id: id, locked: !user.locked },
        applies: isActive && !isSelf,
      }),
      ...plain({
        key: user.suspended ? 'unsuspend' : 'suspend',
        operation: 'users.suspend',
        params: { user_id: id, suspend: !user.suspended },
        applies: isActive && !isSelf,
      }),
      ...(can('users.resetPassword') && isActive
        ? [
            {
              key: 'reset_password',
              text: t('orders.reset_password.title'),
              changesAccount: true,
              dialog: (onClose: () => void) => <ResetPasswordDialog userId={id} onClose={onClose} />,
            },
          ]
        : []),
      ...plain({
        key: 'approve',
        operation: 'users.put',
        params: { user_id: id, approved: true },
        applies: user.approved === false,
      }),
      ...(user.shadow_banned === 1
        ? plain({ key: 'unshadow_ban', operation: 'users.liftShadowBan', params: { user_id: id } })
        : plain({
            key: 'shadow_ban',
            operation: 'users.shadowBan',
            params: { user_id: id },
            applies: isActive && !isSelf,
          })),
    ],
    [
      ...plain({
        key: user.admin === 1 ? 'unmake_admin' : 'make_admin',
        operation: 'users.setAdmin',
        params: { user_id: id, admin: user.admin === 0 },
        applies: isActive && !isSelf && user.is_guest === 0,
        danger: user.admin === 0,
      }),
      ...(can('users.loginAs') && isActive && !isSelf
        ? [
            {
              key: 'login_as',
              text: t('orders.login_as.title'),
              changesAccount: true,
              dialog: (onClose: () => void) => <LoginAsDialog userId={id} onClose={onClose} />,
            },
          ]
        : []),
      ...plain({
        key: 'cross_signing',
        operation: 'users.allowCrossSigningReplacement',
        params: { user_id: id },
        applies: isActive,
      }),
    ],
    [
      ...rooms,
      ...plain({
        key: 'quarantine_media',
        operation: 'users.quarantineMedia',
        params: { user_id: id },
        danger: true,
        changesAccount: false,
      }),
      ...plain({
        key: 'delete_media',
        operation: 'users.deleteMedia',
        params: { user_id: id, limit: MAX_MEDIA },
        danger: true,
        typeToConfirm: id,
        changesAccount: false,
      }),
    ],
    [
      ...(can('users.put', 'users:credentials') && !isActive
        ? [
            {
              key: 'reactivate',
              text: t('orders.reactivate.title'),
              changesAccount: true,
              dialog: (onClose: () => void) => <ReactivateDialog userId={id} onClose={onClose} />,
            },
          ]
        : []),
      ...plain({
        key: 'deactivate',
        operation: 'users.deactivate',
        params: { user_id: id },
        applies: isActive && !isSelf,
        danger: true,
        typeToConfirm: id,
      }),
      ...plain({
        key: 'erase',
        operation: 'users.deactivate',
        params: { user_id: id, erase: true },
        further: ['users:erase'],
        applies: !user.erased && !isSelf,
        danger: true,
        typeToConfirm: id,
      }),
    ],
  ];
}

function plainOrder<O extends Operation>(
  t: TFunction<'users'>,
  can: Can,
  { key, operation, params, further = [], applies = true, changesAccount = true, ...rest }: PlainOrder<O>,
): readonly UserOrder[] {
  if (!applies || !can(operation, ...further)) return [];
  const title = t(`orders.${key}.title`);
  return [
    {
      key,
      text: title,
      danger: rest.danger ?? false,
      changesAccount,
      dialog: (onClose) => (
        <OrderDialog
          opened
          onClose={onClose}
          operation={operation}
          title={title}
          consequences={t(`orders.${key}.effect`).split('\n')}
          params={params}
          danger={rest.danger}
          typeToConfirm={rest.typeToConfirm}
        />
      ),
    },
  ];
}
