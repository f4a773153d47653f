import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { PutTagRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import { requireUsableName } from '../../core/account-data/require-usable-name.ts';
import { tagsIn } from '../../core/account-data/tags-in.ts';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { TAGS } from '../../core/model/account-data.ts';

/** Adds a tag to a room, or replaces the content of the tag. */
export async function putTag(deps: Deps, request: PutTagRequest, context: HandlerContext) {
  ownAccount(context, request.userId);
  raiseDeferred(context);
  const tag = requireUsableName(request.tag);
  const tagContent: { readonly order?: unknown } = JSON.parse(request.content);
  if (tagContent.order !== undefined && !Number.isFinite(tagContent.order)) {
    throw refuse.badJson("'order' must be a number");
  }
  await changeAccountData(deps, requester(context), { roomId: request.roomId, type: TAGS }, (content) =>
    JSON.stringify({ tags: Object.fromEntries([...Object.entries(tagsIn(content)), [tag, tagContent]]) }),
  );
  return {};
}
