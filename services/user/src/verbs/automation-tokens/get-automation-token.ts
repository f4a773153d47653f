import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetAutomationTokenRequest,
  GetAutomationTokenResponseSchema,
} from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { existingToken } from '../../core/automation-tokens/existing-token.ts';
import { rightsOfToken } from '../../core/automation-tokens/token-rights.ts';
import type { Deps } from '../../core/deps.ts';
import { toAutomationToken } from './render-automation-token.ts';

/** Returns an automation token. */
export async function getAutomationToken(
  deps: Deps,
  { id }: GetAutomationTokenRequest,
): Promise<MessageInitShape<typeof GetAutomationTokenResponseSchema>> {
  const token = existingToken(await deps.automationTokens.findOne({ _id: id }));
  const rights = await rightsOfToken(deps, token);
  return { automationToken: toAutomationToken(token, rights, deps.clock.now()) };
}
