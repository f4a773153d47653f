import { refuse } from '@steward/errors';
import type { DropDeadLetterRequest } from '@steward/proto/steward/moderation/v1/dead_letters_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { fromDeadLetterId } from './dead-letter-id.ts';
import { orUnavailable } from './or-unavailable.ts';

/**
 * Removes a dead letter without processing its event.
 *
 * @throws refuse.notFound when the dead letter does not exist
 */
export async function dropDeadLetter(deps: Pick<Deps, 'deadLetters'>, { letterId }: DropDeadLetterRequest) {
  const isDropped = await orUnavailable(deps.deadLetters.drop(fromDeadLetterId(letterId)));
  if (!isDropped) throw refuse.notFound('There is no such dead letter');
  return {};
}
