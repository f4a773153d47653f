import type { MessageInitShape } from '@bufbuild/protobuf';
import type { WhoIsRequest, WhoIsResponseSchema } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';

/** How many connections are told of at most: the newest. */
const MAX_CONNECTIONS = 1_000;

/** From where an account was used (behaviour.md 2.4); nothing for an unknown one. */
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
    })),
  };
  return { userId: request.userId, devices: { '': { sessions: [session] } } };
}
