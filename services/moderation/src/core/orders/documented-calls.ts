import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
} from '@bufbuild/protobuf';
import type { PayloadValues } from '@steward/feed';
import { parseContentUri } from '@steward/kernel';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { MediaAdministrationService } from '@steward/proto/steward/media/v1/administration_pb.ts';
import { ServerNoticeService } from '@steward/proto/steward/moderation/v1/server_notices_pb.ts';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { UserRedactionService } from '@steward/proto/steward/room/v1/user_redaction_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { ConditionService } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { accountsOf, methodRules, scopesOf } from '@steward/rpc';
import type { Notices } from '../../peers/notice.ts';
import type { Order } from './order.ts';

/** What carrying an order out has led to. */
export interface CarriedOut {
  /** The tasks that carry it out; none if that was done at once. */
  readonly taskIds: readonly string[];
  /** The event that was sent; empty for none. */
  readonly eventId: string;
}

/** A call of an endpoint that does what an order does: its scopes are required, and it is recorded as that call is. */
export interface DocumentedCall {
  readonly method: DescMethodUnary;
  readonly request: Message;
  /** The answer of the endpoint to such a call, without what is not known: how many media were quarantined. */
  readonly answerOf: (done: CarriedOut) => Message;
  /** Values of the payload of its event that neither the request nor the answer has. */
  readonly values?: PayloadValues;
}

/** The calls of endpoints that together do what an order does. */
export function documentedCalls({ kind, details }: Order): readonly DocumentedCall[] {
  const { user_id: userId = '', room_id: roomId = '', event_id: eventId = '', reason } = details;
  const withReason = reason === undefined ? {} : { reason };
  switch (kind) {
    case 'redact_event':
      return [
        call(RoomOrderService.method.redactEvent, { roomId, eventId, ...withReason }, (done) => ({
          redactionId: done.eventId,
        })),
      ];
    case 'redact_user':
      return [
        call(UserRedactionService.method.redactUser, { userId, rooms: [], ...withReason }, (done) => ({
          redactId: done.taskIds[0] ?? '',
        })),
      ];
    case 'suspend':
      return [call(ConditionService.method.suspend, { userId, suspend: true })];
    case 'lock':
      return [call(AccountService.method.putUser, { userId, locked: true, present: { paths: ['locked'] } })];
    case 'deactivate':
      return [call(AccountService.method.deactivate, { userId, erase: details.erase ?? false })];
    case 'quarantine_media':
      return (details.media ?? []).flatMap((uri) => {
        const parsed = parseContentUri(uri);
        return parsed ? [call(MediaAdministrationService.method.quarantineMedia, parsed)] : [];
      });
    case 'quarantine_user_media':
      return [call(MediaAdministrationService.method.quarantineUserMedia, { userId })];
    case 'kick':
      return [call(RoomOrderService.method.kickUser, { roomId, userId, ...withReason }, sent)];
    case 'ban':
      if (details.rooms !== 'all')
        return [call(RoomOrderService.method.banUser, { roomId, userId, ...withReason }, sent)];
      return [
        {
          ...call(
            RoomOrderService.method.banUserFromRooms,
            { userId, rooms: 'all', ...withReason },
            (done) => ({ taskId: done.taskIds[0] ?? '' }),
          ),
          values: { action: 'ban' },
        },
      ];
    case 'block_room':
      return [call(RoomAdminService.method.putBlock, { roomId, block: true })];
    case 'delete_room':
      return [
        call(RoomDeletionService.method.beginRoomDeletion, { roomId, ...deletionOf(details) }, (done) => ({
          deleteId: done.taskIds[0] ?? '',
        })),
      ];
    case 'send_notice': {
      const request = { userId: JSON.stringify(userId), content: noticeContent(details.text ?? '') };
      return [call(ServerNoticeService.method.sendServerNotice, request, sent)];
    }
  }
}

/** The scopes that an order requires. The sender of notices speaks, also in the room to which members are moved, for who may send notices. */
export function scopesOfOrder(
  { notices }: { readonly notices: Pick<Notices, 'sender'> },
  order: Order,
): ReadonlySet<Scope> {
  const speaksAsServer = order.details.new_room_user_id === notices.sender;
  const { scope } = methodRules(MediaAdministrationService.method.quarantineMedia);
  return new Set([
    // Those of a quarantine do not depend on which media an event shows.
    ...(order.kind === 'quarantine_media' ? [scope] : []),
    ...documentedCalls(order).flatMap(({ method, request }) => scopesOf(methodRules(method), request)),
    ...(speaksAsServer ? [Scope.NOTICES_SEND] : []),
  ]);
}

/** The accounts that an order is against, or in whose name, as far as it names them. */
export function accountsOfOrder(order: Order): readonly string[] {
  return documentedCalls(order).flatMap(({ method, request }) => accountsOf(methodRules(method), request));
}

/** The options of a deletion that an order states. */
export function deletionOf(details: Order['details']) {
  const { block, purge, force_purge: forcePurge, new_room_user_id: newRoomUserId } = details;
  const { room_name: roomName, message } = details;
  return {
    ...(block === undefined ? {} : { block }),
    ...(purge === undefined ? {} : { purge }),
    ...(forcePurge === undefined ? {} : { forcePurge }),
    ...(newRoomUserId === undefined ? {} : { newRoomUserId }),
    ...(roomName === undefined ? {} : { roomName }),
    ...(message === undefined ? {} : { message }),
  };
}

/** The content of a notice with a text, as JSON. */
export function noticeContent(text: string): string {
  return JSON.stringify({ msgtype: 'm.text', body: text });
}

function sent({ eventId }: CarriedOut) {
  return { eventId };
}

function call<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  answerOf: (done: CarriedOut) => MessageInitShape<O> = () => ({}) as MessageInitShape<O>,
): DocumentedCall {
  return {
    method: method as unknown as DescMethodUnary,
    request: create(method.input, request),
    // Not created as a message: that has defaults for what is not known.
    answerOf: (done) => answerOf(done) as Message,
  };
}
