import type { MessageInitShape } from '@bufbuild/protobuf';
import type { WhoIsRequest, WhoIsResponseSchema } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';

/** The maximum of connections in a response: the newest ones. */
const MAX_CONNECTIONS = 1_000;

/** Returns the addresses from which an account was used (behaviour.md 2.4); none for an unknown account. */
export async function whoIs(
  deps: Deps,
  request: WhoIsRequest,
): Promise<MessageInitShape<typeof WhoIsResponseSchema>> {
  localUser(deps, request.userId);
  const connections = await deps.connections
    .find({ user_id: request.userId }, { sort: { last_seen: -1, _id: 1 }, limit: MAX_CONNECTIONS })
    .toArray();
  const session = {
    connections: connections.map((connection) => ({
      ip: connection.ip,
      lastSeen: BigInt(connection.last_seen),
      userAgent: connection.user_agent,
      ...(connection.acting_as === undefined ? {} : { actingAs: connection.acting_as }),
    })),
  };
  return { userId: request.userId, devices: { '': { sessions: [session] } } };
}
