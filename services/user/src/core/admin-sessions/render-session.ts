import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type { AdminSessionSchema } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import type { Deps } from '../deps.ts';
import type { AdminSession } from '../model/admin-session.ts';
import { endOf, idleEndOf } from './live-session.ts';

/**
 * A session as clients see it.
 *
 * @param tokenId the digest of the caller's credential
 */
export function renderSession(
  deps: Pick<Deps, 'settings'>,
  session: AdminSession,
  tokenId: string,
): MessageInitShape<typeof AdminSessionSchema> {
  const provedTs = optionalInt64(session.proved_ts);
  return {
    id: session.id,
    createdTs: BigInt(session.created_ts),
    expiresTs: BigInt(endOf(deps, session)),
    idleExpiresTs: BigInt(Math.min(idleEndOf(deps, session), endOf(deps, session))),
    lastUsedTs: BigInt(session.used_ts),
    address: session.address,
    userAgent: session.user_agent,
    ...(provedTs === undefined ? {} : { provedTs }),
    ...(session.provider === undefined ? {} : { provider: session.provider }),
    current: session._id === tokenId,
  };
}
