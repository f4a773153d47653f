import type { HandlerContext } from '@connectrpc/connect';
import type { ListTagsRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import { contentOf } from '../../core/account-data/content-of.ts';
import { tagsIn } from '../../core/account-data/tags-in.ts';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { TAGS } from '../../core/model/account-data.ts';

/** Returns the tags of a room (client-plane.md 12), which are the room's account data of type `m.tag`. */
export async function listTags(deps: Deps, request: ListTagsRequest, context: HandlerContext) {
  const userId = ownAccount(context, request.userId);
  raiseDeferred(context);
  return { tags: JSON.stringify(tagsIn(await contentOf(deps, userId, request.roomId, TAGS))) };
}
