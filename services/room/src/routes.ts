import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { AliasService, PublicRoomService } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { HistoryPurgeService } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { ImportService } from '@steward/proto/steward/room/v1/import_pb.ts';
import { RoomMediaService } from '@steward/proto/steward/room/v1/media_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { NoticeService } from '@steward/proto/steward/room/v1/notices_pb.ts';
import { ReportedEventService } from '@steward/proto/steward/room/v1/reported_events_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { SignalService } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { RoomStatisticsService } from '@steward/proto/steward/room/v1/statistics_pb.ts';
import { SyncService } from '@steward/proto/steward/room/v1/sync_pb.ts';
import { TimelineService } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { UserRedactionService } from '@steward/proto/steward/room/v1/user_redaction_pb.ts';
import { UserRoomService } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import { VisibilityService } from '@steward/proto/steward/room/v1/visibility_pb.ts';
import { type Route, route } from '@steward/rpc';
import { taskRoute } from '@steward/tasks';
import { countJoinedRooms, countSentInvites } from './admin/count-user-changes.ts';
import { fetchEvent } from './admin/fetch-event.ts';
import { findRoomEventByTime } from './admin/find-room-event-by-time.ts';
import { deleteForwardExtremities, listForwardExtremities } from './admin/forward-extremities.ts';
import { getBlock } from './admin/get-block.ts';
import { getHierarchy } from './admin/get-hierarchy.ts';
import { getRoom } from './admin/get-room.ts';
import { getRoomEventContext } from './admin/get-room-event-context.ts';
import { joinUser } from './admin/join-user.ts';
import { listRoomMembers } from './admin/list-room-members.ts';
import { listRoomMessages } from './admin/list-room-messages.ts';
import { listRoomState } from './admin/list-room-state.ts';
import { listRooms } from './admin/list-rooms.ts';
import { listUserJoinedRooms, listUserMemberships } from './admin/list-user-rooms.ts';
import { makeRoomAdmin } from './admin/make-room-admin.ts';
import { putBlock } from './admin/put-block.ts';
import { deleteAlias } from './aliases/delete-alias.ts';
import { getAlias } from './aliases/get-alias.ts';
import { listAliases } from './aliases/list-aliases.ts';
import { putAlias } from './aliases/put-alias.ts';
import { beginRoomDeletion } from './deletion/begin-room-deletion.ts';
import { deleteRoom } from './deletion/delete-room.ts';
import { getRoomDeletion, listRoomDeletions } from './deletion/get-room-deletion.ts';
import type { Deps } from './deps.ts';
import { listPublicRooms, searchPublicRooms } from './directory/list-public-rooms.ts';
import { getListing, putListing } from './directory/listing.ts';
import { importEvents } from './import/import-events.ts';
import { importMembers } from './import/import-members.ts';
import { importRooms } from './import/import-rooms.ts';
import { findAvatarsInUse } from './media/find-avatars-in-use.ts';
import { getRoomMedia, listRoomMedia } from './media/list-room-media.ts';
import { findVisibleUsers } from './members/find-visible-users.ts';
import { forget } from './members/forget.ts';
import { invite } from './members/invite.ts';
import { joinRoom, joinRoomOrAlias } from './members/join.ts';
import { listJoinedMembers } from './members/joined-members.ts';
import { listJoinedRooms } from './members/joined-rooms.ts';
import { knock } from './members/knock.ts';
import { leave } from './members/leave.ts';
import { listMembers } from './members/list-members.ts';
import { ban, kick, unban } from './members/moderate.ts';
import { chooseNoticeRoom } from './notices/choose-notice-room.ts';
import { findNotice } from './notices/find-notice.ts';
import { sendNotice } from './notices/send-notice.ts';
import { getHistoryPurge } from './purge/get-history-purge.ts';
import { purgeHistory, purgeHistoryUpToEvent } from './purge/purge-history.ts';
import { describeReported } from './reported/describe-reported.ts';
import { findVisibleEvent } from './reported/find-visible-event.ts';
import { createRoom } from './rooms/create-room.ts';
import { upgradeRoom } from './rooms/upgrade-room.ts';
import { getPresence, setPresence } from './signals/presence.ts';
import { sendReceipt, setReadMarkers } from './signals/receipts.ts';
import { setTyping } from './signals/set-typing.ts';
import { getStateEvent } from './state/get-state-event.ts';
import { listState } from './state/list-state.ts';
import { putState } from './state/put-state.ts';
import { listLargestRooms } from './statistics/list-largest-rooms.ts';
import { sync } from './sync/sync.ts';
import { findEventByTime } from './timeline/find-event-by-time.ts';
import { getContext } from './timeline/get-context.ts';
import { getEvent } from './timeline/get-event.ts';
import { initialSync } from './timeline/initial-sync.ts';
import { listMessages } from './timeline/list-messages.ts';
import { peekEvents } from './timeline/peek-events.ts';
import { redact } from './timeline/redact.ts';
import { sendEvent } from './timeline/send-event.ts';
import { getUserRedaction } from './user-redaction/get-user-redaction.ts';
import { redactUser } from './user-redaction/redact-user.ts';

/** Which function serves which RPC. */
export function createRoutes(deps: Deps): readonly Route[] {
  return [
    route(RoomService, {
      createRoom: (request, context) => createRoom(deps, request, context),
      upgradeRoom: (request, context) => upgradeRoom(deps, request, context),
    }),
    route(MembershipService, {
      joinRoomOrAlias: (request, context) => joinRoomOrAlias(deps, request, context),
      joinRoom: (request, context) => joinRoom(deps, request, context),
      knock: (request, context) => knock(deps, request, context),
      invite: (request, context) => invite(deps, request, context),
      leave: (request, context) => leave(deps, request, context),
      kick: (request, context) => kick(deps, request, context),
      ban: (request, context) => ban(deps, request, context),
      unban: (request, context) => unban(deps, request, context),
      forget: (request, context) => forget(deps, request, context),
      listJoinedRooms: (_, context) => listJoinedRooms(deps, context),
      listMembers: (request, context) => listMembers(deps, request, context),
      listJoinedMembers: (request, context) => listJoinedMembers(deps, request, context),
    }),
    route(EventService, {
      sendEvent: (request, context) => sendEvent(deps, request, context),
      putState: (request, context) => putState(deps, request, context),
      redact: (request, context) => redact(deps, request, context),
      getStateEvent: (request, context) => getStateEvent(deps, request, context),
      listState: (request, context) => listState(deps, request, context),
      getEvent: (request, context) => getEvent(deps, request, context),
    }),
    route(RoomAdminService, {
      listRooms: (request) => listRooms(deps, request),
      getRoom: (request) => getRoom(deps, request),
      listRoomMembers: (request) => listRoomMembers(deps, request),
      listRoomState: (request) => listRoomState(deps, request),
      listRoomMessages: (request, context) => listRoomMessages(deps, request, context),
      findRoomEventByTime: (request) => findRoomEventByTime(deps, request),
      getRoomEventContext: (request) => getRoomEventContext(deps, request),
      fetchEvent: (request) => fetchEvent(deps, request),
      getHierarchy: (request) => getHierarchy(deps, request),
      getBlock: (request) => getBlock(deps, request),
      putBlock: (request, context) => putBlock(deps, request, context),
      makeRoomAdmin: (request, context) => makeRoomAdmin(deps, request, context),
      joinUser: (request, context) => joinUser(deps, request, context),
      listForwardExtremities: (request) => listForwardExtremities(deps, request),
      deleteForwardExtremities: (request) => deleteForwardExtremities(deps, request),
    }),
    route(RoomDeletionService, {
      deleteRoom: (request, context) => deleteRoom(deps, request, context),
      beginRoomDeletion: (request, context) => beginRoomDeletion(deps, request, context),
      listRoomDeletions: (request) => listRoomDeletions(deps, request),
      getRoomDeletion: (request) => getRoomDeletion(deps, request),
    }),
    route(HistoryPurgeService, {
      purgeHistory: (request, context) => purgeHistory(deps, request, context),
      purgeHistoryUpToEvent: (request, context) => purgeHistoryUpToEvent(deps, request, context),
      getHistoryPurge: (request) => getHistoryPurge(deps, request),
    }),
    route(UserRedactionService, {
      redactUser: (request, context) => redactUser(deps, request, context),
      getUserRedaction: (request) => getUserRedaction(deps, request),
    }),
    route(UserRoomService, {
      listUserJoinedRooms: (request) => listUserJoinedRooms(deps, request),
      listUserMemberships: (request) => listUserMemberships(deps, request),
      countSentInvites: (request) => countSentInvites(deps, request),
      countJoinedRooms: (request) => countJoinedRooms(deps, request),
    }),
    route(VisibilityService, {
      findVisibleUsers: (request) => findVisibleUsers(deps, request),
    }),
    route(RoomMediaService, {
      getRoomMedia: (request) => getRoomMedia(deps, request),
      listRoomMedia: (request) => listRoomMedia(deps, request),
      findAvatarsInUse: (request) => findAvatarsInUse(deps, request),
    }),
    route(ImportService, {
      importRooms: (request) => importRooms(deps, request),
      importMembers: (request) => importMembers(deps, request),
      importEvents: (request) => importEvents(deps, request),
    }),
    route(NoticeService, {
      chooseNoticeRoom: (request) => chooseNoticeRoom(deps, request),
      findNotice: (request) => findNotice(deps, request),
      sendNotice: (request, context) => sendNotice(deps, request, context),
    }),
    route(ReportedEventService, {
      findVisibleEvent: (request) => findVisibleEvent(deps, request),
      describeReported: (request) => describeReported(deps, request),
    }),
    route(RoomStatisticsService, {
      listLargestRooms: () => listLargestRooms(deps),
    }),
    route(TimelineService, {
      listMessages: (request, context) => listMessages(deps, request, context),
      getContext: (request, context) => getContext(deps, request, context),
      initialSync: (request, context) => initialSync(deps, request, context),
      peekEvents: (request, context) => peekEvents(deps, request, context),
      findEventByTime: (request, context) => findEventByTime(deps, request, context),
    }),
    taskRoute(deps.tasks),
    route(SyncService, {
      sync: (request, context) => sync(deps, request, context),
    }),
    route(AliasService, {
      getAlias: (request) => getAlias(deps, request),
      putAlias: (request, context) => putAlias(deps, request, context),
      deleteAlias: (request, context) => deleteAlias(deps, request, context),
      listAliases: (request, context) => listAliases(deps, request, context),
    }),
    route(PublicRoomService, {
      getListing: (request) => getListing(deps, request),
      putListing: (request, context) => putListing(deps, request, context),
      listPublicRooms: (request, context) => listPublicRooms(deps, request, context),
      searchPublicRooms: (request) => searchPublicRooms(deps, request),
    }),
    route(SignalService, {
      sendReceipt: (request) => sendReceipt(request),
      setReadMarkers: (request) => setReadMarkers(request),
      setTyping: (request, context) => setTyping(deps, request, context),
      getPresence: (request) => getPresence(request),
      setPresence: (request, context) => setPresence(request, context),
    }),
  ];
}
