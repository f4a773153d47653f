import { toRefusal } from '@steward/errors';
import type { TagRoomRequest } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import { tagsIn } from '../../core/account-data/tags-in.ts';
import type { Deps } from '../../core/deps.ts';
import { TAGS } from '../../core/model/account-data.ts';

/** From what status on an error is the server's. */
const SERVER_ERROR = 500;

/** Acts as the user without a session of theirs. */
const SERVER = { owner: '', tokenId: '' };

/**
 * Gives a room a tag for a user, unless it has it. An account that keeps nothing more, because it is full or
 * deactivated, goes without.
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
