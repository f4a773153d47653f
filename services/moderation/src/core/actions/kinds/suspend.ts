import { ConditionService } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { AccountOrder } from '@steward/proto/steward/user/v1/report_orders_pb.ts';
import { type ActionKind, call } from '../define-action.ts';
import { onAccount } from '../dispatch.ts';

/** Suspends an account. */
export const suspend: ActionKind = {
  needs: ['user_id'],
  notForOneself: true,
  calls: ({ user_id: userId = '' }) => [call(ConditionService.method.suspend, { userId, suspend: true })],
  carryOut: onAccount(() => AccountOrder.SUSPEND),
};
