import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { ListDehydratedMessagesRequest } from '@steward/proto/steward/user/v1/device_messages_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { readWaiting } from '../../core/device-messages/device-queue.ts';
import { writeMessage } from '../../core/device-messages/write-message.ts';
import { existingDehydratedDevice } from '../../core/devices/dehydrated-device.ts';
import { activeSession } from '../../core/sessions/active-session.ts';

const POSITION = /^[0-9]{1,16}$/;

/**
 * Returns the messages for the caller's dehydrated device, oldest first (MSC3814). They stay until the device is removed,
 * so that a client that fails while it reads them can begin again.
 *
 * @throws refuse.notFound when the id is not that of the dehydrated device
 */
export async function listDehydratedMessages(
  deps: Deps,
  { deviceId, nextBatch = '0' }: ListDehydratedMessagesRequest,
  context: HandlerContext,
) {
  if (!POSITION.test(nextBatch))
    throw refuse.invalidParam(
      "'next_batch' is not from an earlier response: leave it out to begin at the first page",
    );
  const { account } = await activeSession(deps, requester(context));
  const device = await existingDehydratedDevice(deps, account);
  if (device.device_id !== deviceId) throw refuse.notFound('There is no dehydrated device of this id');
  const messages = await readWaiting(deps, device.key_ring, Number(nextBatch));
  return { events: messages.map(writeMessage), nextBatch: String(messages.at(-1)?.sent ?? nextBatch) };
}
