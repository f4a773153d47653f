import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRegistrationTokensRequest,
  RegistrationTokenSchema,
} from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { isUsable } from '../../core/model/registration-token.ts';
import { toRegistrationToken } from './render-registration-token.ts';

/** The maximum of tokens in a list. */
const MAX_LISTED = 10_000;

/** Returns all tokens, or only the usable or unusable ones (behaviour.md 13.2), ascending by their text. */
export async function listRegistrationTokens(deps: Deps, request: ListRegistrationTokensRequest) {
  const now = deps.clock.now();
  const listed: MessageInitShape<typeof RegistrationTokenSchema>[] = [];
  // Tokens are read one by one, so that memory never holds the uses of all tokens together.
  for await (const token of deps.registrationTokens.find({}, { sort: { _id: 1 } })) {
    if (request.valid !== undefined && request.valid !== isUsable(token, now)) continue;
    if (listed.push(toRegistrationToken(token, now)) === MAX_LISTED) break;
  }
  return { registrationTokens: listed };
}
