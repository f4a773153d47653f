import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRegistrationTokensRequest,
  RegistrationTokenSchema,
} from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { isUsable } from '../../core/model/registration-token.ts';
import { toRegistrationToken } from './render-registration-token.ts';

/** How many tokens a list has at most. */
const MAX_LISTED = 10_000;

/** All tokens, or those that can be used, or cannot (behaviour.md 13.2), ascending by their text. */
export async function listRegistrationTokens(deps: Deps, request: ListRegistrationTokensRequest) {
  const now = deps.clock.now();
  const listed: MessageInitShape<typeof RegistrationTokenSchema>[] = [];
  // One by one: what is held of a token is not to be kept for all of them at once.
  for await (const token of deps.registrationTokens.find({}, { sort: { _id: 1 } })) {
    if (request.valid !== undefined && request.valid !== isUsable(token, now)) continue;
    if (listed.push(toRegistrationToken(token, now)) === MAX_LISTED) break;
  }
  return { registrationTokens: listed };
}
