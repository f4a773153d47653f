import { refuse } from '@steward/errors';
import { auditRecorded, fromDeadLetterId } from '@steward/events';
import type { DropDeadLetterRequest } from '@steward/proto/steward/moderation/v1/dead_letters_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { orUnavailable } from './or-unavailable.ts';

/**
 * Removes a dead letter without processing its event. Entries of the audit log that could not be stored cannot be
 * removed: an administrator could otherwise delete the record of a request.
 *
 * @throws refuse.notFound when the dead letter does not exist
 * @throws refuse.unknown when it is an entry of the audit log
 */
export async function dropDeadLetter(deps: Pick<Deps, 'deadLetters'>, { letterId }: DropDeadLetterRequest) {
  const id = fromDeadLetterId(letterId);
  const letter = await orUnavailable(deps.deadLetters.find(id));
  if (letter?.event.type === auditRecorded.type) {
    throw refuse.unknown('An entry of the audit log cannot be dropped; replay it');
  }
  const isDropped = letter !== undefined && (await orUnavailable(deps.deadLetters.drop(id)));
  if (!isDropped) throw refuse.notFound('There is no such dead letter');
  return {};
}
