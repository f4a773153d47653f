import { createHash } from 'node:crypto';
import { ServerNoticeService } from '@steward/proto/steward/moderation/v1/server_notices_pb.ts';
import { checkNotice, deliverNotice } from '../../notices/deliver-notice.ts';
import { readNotice } from '../../notices/read-notice.ts';
import type { ActionDetails } from '../action.ts';
import { type ActionKind, AT_ONCE, call, sent } from '../define-action.ts';

/** Sends a user a server notice. */
export const sendNotice: ActionKind = {
  needs: ['user_id', 'text'],
  calls: (details) => [call(ServerNoticeService.method.sendServerNotice, noticeOf(details), sent)],
  async carryOut(deps, details, { checkOnly, orderId }) {
    if (checkOnly) {
      await checkNotice(deps, { ...(await readNotice(deps, noticeOf(details))), transaction: '' });
      return AT_ONCE;
    }
    const transaction = transactionOf(orderId);
    // A repeated action is answered with its notice, whatever has become of its reader.
    const eventId = await deps.rooms.findNotice(transaction);
    if (eventId !== undefined) return { ...AT_ONCE, eventId };
    const notice = await readNotice(deps, noticeOf(details));
    return { ...AT_ONCE, eventId: await deliverNotice(deps, { ...notice, transaction }) };
  },
};

function noticeOf({ user_id: userId = '', text: body = '' }: ActionDetails) {
  return { userId: JSON.stringify(userId), content: JSON.stringify({ msgtype: 'm.text', body }) };
}

/** The key of the transaction of the notice of an action. Its first word is that of stored transactions. */
function transactionOf(orderId: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['report_order', orderId]))
    .digest('base64url');
}
