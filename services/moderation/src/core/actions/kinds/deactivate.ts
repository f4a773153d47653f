import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AccountOrder } from '@steward/proto/steward/user/v1/report_orders_pb.ts';
import { type ActionKind, call } from '../define-action.ts';
import { onAccount } from '../dispatch.ts';

/** Deactivates an account, and erases its user if that is stated. */
export const deactivate: ActionKind = {
  needs: ['user_id'],
  may: ['erase'],
  notForOneself: true,
  calls: ({ user_id: userId = '', erase = false }) => [
    call(AccountService.method.deactivate, { userId, erase }),
  ],
  carryOut: onAccount(({ erase }) => (erase ? AccountOrder.ERASE : AccountOrder.DEACTIVATE)),
};
