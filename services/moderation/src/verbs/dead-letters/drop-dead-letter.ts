import { refuse } from '@steward/errors';
import type { DropDeadLetterRequest } from '@steward/proto/steward/moderation/v1/dead_letters_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { fromLetterId } from './letter-id.ts';
import { withinReach } from './within-reach.ts';

/**
 * Forgets an event that a consumer could not deal with.
 *
 * @throws refuse.notFound when there is no such letter
 */
export async function dropDeadLetter(deps: Pick<Deps, 'deadLetters'>, { letterId }: DropDeadLetterRequest) {
  const isDropped = await withinReach(deps.deadLetters.drop(fromLetterId(letterId)));
  if (!isDropped) throw refuse.notFound('There is no such dead letter');
  return {};
}
