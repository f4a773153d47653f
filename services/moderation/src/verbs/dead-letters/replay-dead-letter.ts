import { refuse } from '@steward/errors';
import { fromDeadLetterId } from '@steward/events';
import type { ReplayDeadLetterRequest } from '@steward/proto/steward/moderation/v1/dead_letters_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { orUnavailable } from './or-unavailable.ts';

/**
 * Delivers the event of a dead letter to its consumer again.
 *
 * @throws refuse.notFound when the dead letter or its consumer does not exist
 */
export async function replayDeadLetter(
  deps: Pick<Deps, 'deadLetters'>,
  { letterId }: ReplayDeadLetterRequest,
) {
  const isReplayed = await orUnavailable(deps.deadLetters.replay(fromDeadLetterId(letterId)));
  if (!isReplayed) throw refuse.notFound('There is no such dead letter, or no consumer for it');
  return {};
}
