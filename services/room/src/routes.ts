import { activityRoute } from '@steward/activity';
import { plans } from '@steward/plans';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { BlockedRoomService } from '@steward/proto/steward/room/v1/blocked_rooms_pb.ts';
import { AliasService, PublicRoomService } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { HistoryPurgeService } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { ImportService } from '@steward/proto/steward/room/v1/import_pb.ts';
import { RoomMediaService } from '@steward/proto/steward/room/v1/media_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { NoticeService } from '@steward/proto/steward/room/v1/notices_pb.ts';
import { PlanService } from '@steward/proto/steward/room/v1/plans_pb.ts';
import { PushStateService } from '@steward/proto/steward/room/v1/push_states_pb.ts';
import { ReportOrderService } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { ReportedEventService } from '@steward/proto/steward/room/v1/reported_events_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { SearchService } from '@steward/proto/steward/room/v1/search_pb.ts';
import { SignalService } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { RoomStatisticsService } from '@steward/proto/steward/room/v1/statistics_pb.ts';
import { SyncService } from '@steward/proto/steward/room/v1/sync_pb.ts';
import { TimelineService } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { UserRedactionService } from '@steward/proto/steward/room/v1/user_redaction_pb.ts';
import { UserRoomService } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import { VisibilityService } from '@steward/proto/steward/room/v1/visibility_pb.ts';
import { recordsRoute } from '@steward/records';
import { type Route, route } from '@steward/rpc';
import { statisticsRoute } from '@steward/statistics';
import { taskRoute } from '@steward/tasks';
import { activityStreams } from './core/activity/streams.ts';
import { unblockRooms } from './core/aggregate/block-room.ts';
import { collections } from './core/collections.ts';
import type { Deps } from './core/deps.ts';
import {
  FORGOTTEN_ROOMS,
  recordKindsAfterEvents,
  recordKindsBeforeRooms,
} from './core/records/record-kinds.ts';
import { readFigures } from './core/statistics/read-figures.ts';
import { forgetRooms } from './import/forget-rooms.ts';
import { importEvents } from './import/import-events.ts';
import { importMembers } from './import/import-members.ts';
import { importRooms } from './import/import-rooms.ts';
import { invalidIds } from './import/invalid-ids.ts';
import { planners } from './planners.ts';
import { countAliases } from './verbs/aliases/count-aliases.ts';
import { deleteAlias } from './verbs/aliases/delete-alias.ts';
import { getAlias } from './verbs/aliases/get-alias.ts';
import { listAliases } from './verbs/aliases/list-aliases.ts';
import { putAlias } from './verbs/aliases/put-alias.ts';
import { getBlock } from './verbs/blocks/get-block.ts';
import { listBlockedRooms } from './verbs/blocks/list-blocked-rooms.ts';
import { putBlock } from './verbs/blocks/put-block.ts';
import { beginRoomDeletion } from './verbs/deletion/begin-room-deletion.ts';
import { deleteRoom } from './verbs/deletion/delete-room.ts';
import { getRoomDeletion } from './verbs/deletion/get-room-deletion.ts';
import { listRoomDeletions } from './verbs/deletion/list-room-deletions.ts';
import { getListing } from './verbs/directory/get-listing.ts';
import { getRoomSummary } from './verbs/directory/get-room-summary.ts';
import { listPublicRooms } from './verbs/directory/list-public-rooms.ts';
import { listSpaceRooms } from './verbs/directory/list-space-rooms.ts';
import { putListing } from './verbs/directory/put-listing.ts';
import { searchPublicRooms } from './verbs/directory/search-public-rooms.ts';
import { findAvatarsInUse } from './verbs/media/find-avatars-in-use.ts';
import { findShownMedia } from './verbs/media/find-shown-media.ts';
import { getRoomMedia } from './verbs/media/get-room-media.ts';
import { listRoomMedia } from './verbs/media/list-room-media.ts';
import { listShownMedia } from './verbs/media/list-shown-media.ts';
import { ban } from './verbs/members/ban.ts';
import { countJoinedRooms } from './verbs/members/count-joined-rooms.ts';
import { countMemberships } from './verbs/members/count-memberships.ts';
import { countSentInvites } from './verbs/members/count-sent-invites.ts';
import { findVisibleUsers } from './verbs/members/find-visible-users.ts';
import { forget } from './verbs/members/forget.ts';
import { invite } from './verbs/members/invite.ts';
import { joinRoom } from './verbs/members/join-room.ts';
import { joinRoomOrAlias } from './verbs/members/join-room-or-alias.ts';
import { joinUser } from './verbs/members/join-user.ts';
import { kick } from './verbs/members/kick.ts';
import { knock } from './verbs/members/knock.ts';
import { leave } from './verbs/members/leave.ts';
import { listJoinedMembers } from './verbs/members/list-joined-members.ts';
import { listJoinedRooms } from './verbs/members/list-joined-rooms.ts';
import { listMembers } from './verbs/members/list-members.ts';
import { listRoomMembers } from './verbs/members/list-room-members.ts';
import { listUserJoinedRooms } from './verbs/members/list-user-joined-rooms.ts';
import { listUserMemberships } from './verbs/members/list-user-memberships.ts';
import { makeRoomAdmin } from './verbs/members/make-room-admin.ts';
import { unban } from './verbs/members/unban.ts';
import { wakeWatchers } from './verbs/members/wake-watchers.ts';
import { chooseNoticeRoom } from './verbs/notices/choose-notice-room.ts';
import { findNotice } from './verbs/notices/find-notice.ts';
import { sendNotice } from './verbs/notices/send-notice.ts';
import { banUser } from './verbs/orders/ban-user.ts';
import { banUserFromRooms } from './verbs/orders/ban-user-from-rooms.ts';
import { getRoomOrder } from './verbs/orders/get-room-order.ts';
import { inviteUser } from './verbs/orders/invite-user.ts';
import { kickUser } from './verbs/orders/kick-user.ts';
import { redactEvent } from './verbs/orders/redact-event.ts';
import { sendRoomNotice } from './verbs/orders/send-room-notice.ts';
import { setState } from './verbs/orders/set-state.ts';
import { unbanUser } from './verbs/orders/unban-user.ts';
import { unbanUserFromRooms } from './verbs/orders/unban-user-from-rooms.ts';
import { getHistoryPurge } from './verbs/purge/get-history-purge.ts';
import { purgeHistory } from './verbs/purge/purge-history.ts';
import { purgeHistoryUpToEvent } from './verbs/purge/purge-history-up-to-event.ts';
import { listPushStates } from './verbs/pushes/list-push-states.ts';
import { carryOutOrder } from './verbs/report-orders/carry-out-order.ts';
import { findEventMedia } from './verbs/report-orders/find-event-media.ts';
import { describeReported } from './verbs/reported/describe-reported.ts';
import { findVisibleEvent } from './verbs/reported/find-visible-event.ts';
import { createRoom } from './verbs/rooms/create-room.ts';
import { deleteForwardExtremities } from './verbs/rooms/delete-forward-extremities.ts';
import { getHierarchy } from './verbs/rooms/get-hierarchy.ts';
import { getRoom } from './verbs/rooms/get-room.ts';
import { getRoomNames } from './verbs/rooms/get-room-names.ts';
import { listForwardExtremities } from './verbs/rooms/list-forward-extremities.ts';
import { listRooms } from './verbs/rooms/list-rooms.ts';
import { upgradeRoom } from './verbs/rooms/upgrade-room.ts';
import { getPresence } from './verbs/signals/get-presence.ts';
import { listRoomReceipts } from './verbs/signals/list-room-receipts.ts';
import { sendReceipt } from './verbs/signals/send-receipt.ts';
import { setPresence } from './verbs/signals/set-presence.ts';
import { setReadMarkers } from './verbs/signals/set-read-markers.ts';
import { setTyping } from './verbs/signals/set-typing.ts';
import { getStateEvent } from './verbs/state/get-state-event.ts';
import { listRoomState } from './verbs/state/list-room-state.ts';
import { listState } from './verbs/state/list-state.ts';
import { putState } from './verbs/state/put-state.ts';
import { listLargestRooms } from './verbs/statistics/list-largest-rooms.ts';
import { listKeyChanges } from './verbs/sync/list-key-changes.ts';
import { sync } from './verbs/sync/sync.ts';
import { fetchEvent } from './verbs/timeline/fetch-event.ts';
import { findEventByTime } from './verbs/timeline/find-event-by-time.ts';
import { findRoomEventByTime } from './verbs/timeline/find-room-event-by-time.ts';
import { getContext } from './verbs/timeline/get-context.ts';
import { getEvent } from './verbs/timeline/get-event.ts';
import { getRoomEventContext } from './verbs/timeline/get-room-event-context.ts';
import { initialSync } from './verbs/timeline/initial-sync.ts';
import { listMessages } from './verbs/timeline/list-messages.ts';
import { listNotifications } from './verbs/timeline/list-notifications.ts';
import { listRelations } from './verbs/timeline/list-relations.ts';
import { listRoomMessages } from './verbs/timeline/list-room-messages.ts';
import { listThreads } from './verbs/timeline/list-threads.ts';
import { peekEvents } from './verbs/timeline/peek-events.ts';
import { redact } from './verbs/timeline/redact.ts';
import { search } from './verbs/timeline/search.ts';
import { sendEvent } from './verbs/timeline/send-event.ts';
import { getUserRedaction } from './verbs/user-redaction/get-user-redaction.ts';
import { redactUser } from './verbs/user-redaction/redact-user.ts';

/** The routes of the service: the function that serves each RPC. */
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
      getRoomNames: (request) => getRoomNames(deps, request),
      getRoom: (request) => getRoom(deps, request),
      listRoomMembers: (request) => listRoomMembers(deps, request),
      listRoomReceipts: (request, context) => listRoomReceipts(deps, request, context),
      listRoomState: (request, context) => listRoomState(deps, request, context),
      listRoomMessages: (request, context) => listRoomMessages(deps, request, context),
      findRoomEventByTime: (request, context) => findRoomEventByTime(deps, request, context),
      getRoomEventContext: (request, context) => getRoomEventContext(deps, request, context),
      fetchEvent: (request, context) => fetchEvent(deps, request, context),
      getHierarchy: (request) => getHierarchy(deps, request),
      getBlock: (request) => getBlock(deps, request),
      putBlock: (request, context) => putBlock(deps, request, context),
      makeRoomAdmin: (request, context) => makeRoomAdmin(deps, request, context),
      joinUser: (request, context) => joinUser(deps, request, context),
      listForwardExtremities: (request) => listForwardExtremities(deps, request),
      deleteForwardExtremities: (request, context) => deleteForwardExtremities(deps, request, context),
    }),
    route(PlanService, { planCall: plans(planners(deps)) }),
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
    route(RoomOrderService, {
      kickUser: (request, context) => kickUser(deps, request, context),
      banUser: (request, context) => banUser(deps, request, context),
      unbanUser: (request, context) => unbanUser(deps, request, context),
      inviteUser: (request, context) => inviteUser(deps, request, context),
      redactEvent: (request, context) => redactEvent(deps, request, context),
      setState: (request, context) => setState(deps, request, context),
      sendRoomNotice: (request, context) => sendRoomNotice(deps, request, context),
      banUserFromRooms: (request, context) => banUserFromRooms(deps, request, context),
      unbanUserFromRooms: (request, context) => unbanUserFromRooms(deps, request, context),
      getRoomOrder: (request) => getRoomOrder(deps, request),
    }),
    route(UserRedactionService, {
      redactUser: (request, context) => redactUser(deps, request, context),
      getUserRedaction: (request) => getUserRedaction(deps, request),
    }),
    route(PushStateService, {
      listPushStates: (request) => listPushStates(deps, request),
    }),
    route(UserRoomService, {
      listUserJoinedRooms: (request) => listUserJoinedRooms(deps, request),
      listUserMemberships: (request) => listUserMemberships(deps, request),
      countSentInvites: (request) => countSentInvites(deps, request),
      countMemberships: (request) => countMemberships(deps, request),
      countJoinedRooms: (request) => countJoinedRooms(deps, request),
    }),
    route(VisibilityService, {
      findVisibleUsers: (request) => findVisibleUsers(deps, request),
      wakeWatchers: (request) => wakeWatchers(deps, request),
    }),
    route(RoomMediaService, {
      getRoomMedia: (request) => getRoomMedia(deps, request),
      listRoomMedia: (request) => listRoomMedia(deps, request),
      findShownMedia: (request) => findShownMedia(deps, request),
      listShownMedia: (request) => listShownMedia(deps, request),
      findAvatarsInUse: (request) => findAvatarsInUse(deps, request),
    }),
    route(ImportService, {
      importRooms: (request) => importRooms(deps, request),
      importMembers: (request) => importMembers(deps, request),
      importEvents: (request) => importEvents(deps, request),
    }),
    recordsRoute({
      kinds: [...recordKindsBeforeRooms, ...recordKindsAfterEvents],
      collections,
      opened: deps,
      problemsOf: invalidIds,
      loaders: { [FORGOTTEN_ROOMS]: (documents) => forgetRooms(deps, documents) },
      removers: {
        room_blocks: (ids) => unblockRooms(deps, ids),
        // Who is in a room again is so by an event; the documents are those of all members.
        [FORGOTTEN_ROOMS]: async () => {},
      },
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
    route(ReportOrderService, {
      carryOutOrder: (request) => carryOutOrder(deps, request),
      findEventMedia: (request) => findEventMedia(deps, request),
    }),
    route(BlockedRoomService, {
      listBlockedRooms: (request) => listBlockedRooms(deps, request),
    }),
    route(RoomStatisticsService, {
      listLargestRooms: () => listLargestRooms(deps),
    }),
    route(SearchService, {
      search: (request, context) => search(deps, request, context),
    }),
    route(TimelineService, {
      listMessages: (request, context) => listMessages(deps, request, context),
      getContext: (request, context) => getContext(deps, request, context),
      initialSync: (request, context) => initialSync(deps, request, context),
      peekEvents: (request, context) => peekEvents(deps, request, context),
      findEventByTime: (request, context) => findEventByTime(deps, request, context),
      listRelations: (request, context) => listRelations(deps, request, context),
      listNotifications: (request, context) => listNotifications(deps, request, context),
      listThreads: (request, context) => listThreads(deps, request, context),
    }),
    taskRoute(deps.tasks),
    route(SyncService, {
      sync: (request, context) => sync(deps, request, context),
      listKeyChanges: (request, context) => listKeyChanges(deps, request, context),
    }),
    route(AliasService, {
      getAlias: (request) => getAlias(deps, request),
      putAlias: (request, context) => putAlias(deps, request, context),
      deleteAlias: (request, context) => deleteAlias(deps, request, context),
      listAliases: (request, context) => listAliases(deps, request, context),
      countAliases: (request) => countAliases(deps, request),
    }),
    route(PublicRoomService, {
      getListing: (request) => getListing(deps, request),
      putListing: (request, context) => putListing(deps, request, context),
      listPublicRooms: (request, context) => listPublicRooms(deps, request, context),
      searchPublicRooms: (request) => searchPublicRooms(deps, request),
      getRoomSummary: (request, context) => getRoomSummary(deps, request, context),
      listSpaceRooms: (request, context) => listSpaceRooms(deps, request, context),
    }),
    route(SignalService, {
      sendReceipt: (request, context) => sendReceipt(deps, request, context),
      setReadMarkers: (request, context) => setReadMarkers(deps, request, context),
      setTyping: (request, context) => setTyping(deps, request, context),
      getPresence: (request) => getPresence(request),
      setPresence: (request, context) => setPresence(request, context),
    }),
    activityRoute(activityStreams(deps)),
    statisticsRoute({ figures: () => readFigures(deps), counts: deps.counts }),
  ];
}
