import type { HandlerContext } from '@connectrpc/connect';
import type { DeleteTagRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import { tagsIn } from '../../core/account-data/tags-in.ts';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { TAGS } from '../../core/model/account-data.ts';

/** Removes a tag from a room; removing an absent tag is not an error. */
export async function deleteTag(deps: Deps, request: DeleteTagRequest, context: HandlerContext) {
  ownAccount(context, request.userId);
  raiseDeferred(context);
  await changeAccountData(deps, requester(context), { roomId: request.roomId, type: TAGS }, (content) => {
    const tags = Object.entries(tagsIn(content));
    const rest = tags.filter(([tag]) => tag !== request.tag);
    return rest.length === tags.length ? undefined : JSON.stringify({ tags: Object.fromEntries(rest) });
  });
  return {};
}
