import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { JsonObject } from '@steward/kernel';
import type { JoinRoomOrAliasRequest, JoinRoomRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { enterRoom } from '../../core/membership/enter-room.ts';
import { parseContent } from '../../core/protocol/mod.ts';

/** Joins the caller to a room; returns the response of both endpoints for joining. */
export async function join(
  deps: Deps,
  roomId: string,
  request: Pick<JoinRoomRequest | JoinRoomOrAliasRequest, 'reason' | 'content'>,
  context: HandlerContext,
): Promise<{ roomId: string }> {
  const given = readGiven(request);
  await enterRoom(deps, requester(context), roomId, given, context.requestHeader.get(headers.traceparent));
  return { roomId };
}

/** The content that a client gives for its member event. */
function readGiven({ reason: other, content: text }: Parameters<typeof join>[2]): JsonObject {
  const content = text === undefined ? {} : parseContent(text);
  // Signed by a third party, it proves an invitation, which this server does not support.
  const { third_party_signed: _, reason: given, ...rest } = content;
  const reason = given ?? other;
  if (reason !== undefined && typeof reason !== 'string') throw refuse.badJson("'reason' must be a string");
  return { ...rest, ...(reason === undefined ? {} : { reason }) };
}
