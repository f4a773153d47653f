import { refuse } from '@steward/errors';
import type { ReplayDeadLetterRequest } from '@steward/proto/steward/moderation/v1/dead_letters_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { fromLetterId } from './letter-id.ts';
import { withinReach } from './within-reach.ts';

/**
 * Hands an event to the consumer that could not deal with it, once more.
 *
 * @throws refuse.notFound when there is no such dead letter, or its consumer does not exist any more
 */
export async function replayDeadLetter(
  deps: Pick<Deps, 'deadLetters'>,
  { letterId }: ReplayDeadLetterRequest,
) {
  const isReplayed = await withinReach(deps.deadLetters.replay(fromLetterId(letterId)));
  if (!isReplayed) throw refuse.notFound('There is no such dead letter, or no consumer for it');
  return {};
}
