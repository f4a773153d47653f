import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { isObject } from '@steward/kernel';
import type {
  DeleteTagRequest,
  ListTagsRequest,
  PutTagRequest,
} from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { TAGS } from '../../core/model/account-data.ts';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import { contentOf } from './get-account-data.ts';
import { ownAccount } from '../../core/accounts/own-account.ts';
import { usableName } from '../../core/account-data/usable-name.ts';

/** The tags of a room (client-plane.md 12), which are the account data `m.tag` that it keeps for it. */
export async function listTags(deps: Deps, request: ListTagsRequest, context: HandlerContext) {
  const userId = ownAccount(context, request.userId);
  raiseDeferred(context);
  return { tags: JSON.stringify(tagsIn(await contentOf(deps, userId, request.roomId, TAGS))) };
}

/** Gives a room a tag, or replaces what is kept with it. */
export async function putTag(deps: Deps, request: PutTagRequest, context: HandlerContext) {
  ownAccount(context, request.userId);
  raiseDeferred(context);
  const tag = usableName(request.tag);
  const kept: { readonly order?: unknown } = JSON.parse(request.content);
  if (kept.order !== undefined && !Number.isFinite(kept.order)) {
    throw refuse.badJson("'order' must be a number");
  }
  await changeAccountData(deps, requester(context), { roomId: request.roomId, type: TAGS }, (content) =>
    JSON.stringify({ tags: Object.fromEntries([...Object.entries(tagsIn(content)), [tag, kept]]) }),
  );
  return {};
}

/** Takes a tag from a room; one that it does not have is no error. */
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

/** The tags in what is kept for a room; clients may have set anything in their place. */
export function tagsIn(content: string | undefined): Readonly<Record<string, unknown>> {
  const { tags }: { readonly tags?: unknown } = JSON.parse(content ?? '{}');
  return isObject(tags) ? { ...tags } : {};
}
