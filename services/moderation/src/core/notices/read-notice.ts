import { refuse } from '@steward/errors';
import { parseUserId } from '@steward/kernel';
import type { SendServerNoticeRequest } from '@steward/proto/steward/moderation/v1/server_notices_pb.ts';
import type { Notice } from '../../peers/notice.ts';
import type { Deps } from '../deps.ts';

/** The default type of a notice. */
const DEFAULT_TYPE = 'm.room.message';

type NoticeRequest = Pick<SendServerNoticeRequest, 'userId' | 'content' | 'type' | 'stateKey'>;

/**
 * Reads the notice that an administrator sends to a user, in the documented order of checks (behaviour.md 7.1).
 *
 * @throws refuse.unknown where notices are off, for users of other servers and for the sender of notices;
 * refuse.invalidParam, refuse.notFound and refuse.badJson for their violations
 */
export async function readNotice(
  deps: Pick<Deps, 'notices' | 'serverName' | 'users'>,
  { content, type = DEFAULT_TYPE, stateKey, ...request }: NoticeRequest,
): Promise<Omit<Notice, 'transaction'>> {
  if (!deps.notices.enabled) throw refuse.unknown('Server notices are not enabled on this server');
  const userId: unknown = JSON.parse(request.userId);
  const user = typeof userId === 'string' ? parseUserId(userId) : undefined;
  if (typeof userId !== 'string' || !user) throw refuse.invalidParam("'user_id' is not a user id");
  if (user.domain !== deps.serverName) throw refuse.unknown('Notices are for users of this server only');
  if (!(await deps.users.isKnown(userId))) throw refuse.notFound('User not found');
  if (userId === deps.notices.sender) throw refuse.unknown('The sender of notices cannot receive one');
  const parsed: unknown = JSON.parse(content);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw refuse.badJson("'content' must be an object");
  }
  return { userId, type, stateKey, content };
}
