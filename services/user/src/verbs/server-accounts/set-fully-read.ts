import { toRefusal } from '@steward/errors';
import type { SetFullyReadRequest } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import type { Deps } from '../../core/deps.ts';

/** The lowest status of a server error. */
const SERVER_ERROR = 500;

/** The server, which acts as the user without a session. */
const SERVER = { owner: '', tokenId: '' };

/** Sets up to where a user has read a room. Nothing changes for an account that is full or deactivated. */
export async function setFullyRead(deps: Deps, { userId, roomId, eventId }: SetFullyReadRequest) {
  const marker = JSON.stringify({ event_id: eventId });
  const name = { roomId, type: 'm.fully_read' };
  try {
    await changeAccountData(deps, { userId, ...SERVER }, name, (content) =>
      content === marker ? undefined : marker,
    );
  } catch (error) {
    if (toRefusal(error).status >= SERVER_ERROR) throw error;
  }
  return {};
}
