import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAutomationTokensRequest,
  ListAutomationTokensResponseSchema,
} from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { rightsOfTokens } from '../../core/automation-tokens/token-rights.ts';
import type { Deps } from '../../core/deps.ts';
import { toAutomationToken } from './render-automation-token.ts';

const DEFAULT_LIMIT = 100n;
const MAX_LIMIT = 1_000n;

/** Returns a page of the automation tokens, the newest first. */
export async function listAutomationTokens(
  deps: Deps,
  { from, limit: requested = DEFAULT_LIMIT }: ListAutomationTokensRequest,
): Promise<MessageInitShape<typeof ListAutomationTokensResponseSchema>> {
  const limit = Number(requested > MAX_LIMIT ? MAX_LIMIT : requested);
  const total = BigInt(await deps.automationTokens.countDocuments({}));
  if (limit === 0) return { total };
  // One more than the page, which shows whether another page follows, and where it starts.
  const found = await deps.automationTokens
    .find(from === undefined ? {} : { _id: { $lte: from } }, { sort: { _id: -1 }, limit: limit + 1 })
    .toArray();
  const page = found.slice(0, limit);
  const rights = await rightsOfTokens(deps, page);
  const now = deps.clock.now();
  const next = found[limit];
  return {
    tokens: page.map((token) => toAutomationToken(token, rights(token), now)),
    ...(next ? { nextToken: next._id } : {}),
    total,
  };
}
