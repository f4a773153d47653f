import { toRefusal } from '@steward/errors';
import type { TagRoomRequest } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import { tagsIn } from '../../core/account-data/tags-in.ts';
import type { Deps } from '../../core/deps.ts';
import { TAGS } from '../../core/model/account-data.ts';

/** The lowest status of a server error. */
const SERVER_ERROR = 500;

/** The server, which acts as the user without a session. */
const SERVER = { owner: '', tokenId: '' };

/**
 * Adds a tag to a room for a user, unless the room has it. Nothing is added to an account that is full or
 * deactivated.
 */
export async function tagRoom(deps: Deps, { userId, roomId, tag }: TagRoomRequest) {
  try {
    await changeAccountData(deps, { userId, ...SERVER }, { roomId, type: TAGS }, (content) => {
      const tags = tagsIn(content);
      return Object.hasOwn(tags, tag) ? undefined : JSON.stringify({ tags: { ...tags, [tag]: {} } });
    });
  } catch (error) {
    if (toRefusal(error).status >= SERVER_ERROR) throw error;
  }
  return {};
}
