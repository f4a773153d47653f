import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AccountOrder } from '@steward/proto/steward/user/v1/report_orders_pb.ts';
import { type ActionKind, call } from '../define-action.ts';
import { onAccount } from '../dispatch.ts';

/** Locks an account. */
export const lock: ActionKind = {
  needs: ['user_id'],
  notForOneself: true,
  calls: ({ user_id: userId = '' }) => [
    call(AccountService.method.putUser, { userId, locked: true, present: { paths: ['locked'] } }),
  ],
  carryOut: onAccount(() => AccountOrder.LOCK),
};
