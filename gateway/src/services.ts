import type { DescService } from '@bufbuild/protobuf';
import { MediaAdministrationService } from '@steward/proto/steward/media/v1/administration_pb.ts';
import { MediaHashService } from '@steward/proto/steward/media/v1/hashes_pb.ts';
import { MediaInventoryService } from '@steward/proto/steward/media/v1/inventory_pb.ts';
import { MediaService } from '@steward/proto/steward/media/v1/media_pb.ts';
import { PlanService as MediaPlanService } from '@steward/proto/steward/media/v1/plans_pb.ts';
import { MediaStatisticsService } from '@steward/proto/steward/media/v1/statistics_pb.ts';
import { ActivityService } from '@steward/proto/steward/moderation/v1/activity_pb.ts';
import { AuditService } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { BulkService } from '@steward/proto/steward/moderation/v1/bulk_pb.ts';
import { DeadLetterService } from '@steward/proto/steward/moderation/v1/dead_letters_pb.ts';
import { EventReportService } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import { FeedService } from '@steward/proto/steward/moderation/v1/events_pb.ts';
import { QuotaService } from '@steward/proto/steward/moderation/v1/quotas_pb.ts';
import { ReportResolutionService } from '@steward/proto/steward/moderation/v1/report_resolution_pb.ts';
import { ReportService } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { ServerNoticeService } from '@steward/proto/steward/moderation/v1/server_notices_pb.ts';
import { ServerStatusService } from '@steward/proto/steward/moderation/v1/server_status_pb.ts';
import { StatisticsService } from '@steward/proto/steward/moderation/v1/statistics_pb.ts';
import { TaskService } from '@steward/proto/steward/moderation/v1/tasks_pb.ts';
import { UserReportService } from '@steward/proto/steward/moderation/v1/user_reports_pb.ts';
import { WebhookService } from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { PlanService } from '@steward/proto/steward/plan/v1/plan_pb.ts';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { BlockedRoomService } from '@steward/proto/steward/room/v1/blocked_rooms_pb.ts';
import { AliasService, PublicRoomService } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { HistoryPurgeService } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { RoomMediaService } from '@steward/proto/steward/room/v1/media_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { PlanService as RoomPlanService } from '@steward/proto/steward/room/v1/plans_pb.ts';
import { PushStateService } from '@steward/proto/steward/room/v1/push_states_pb.ts';
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
import { AccountDataService } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { AutomationTokenService } from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { ConditionService } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { DeviceMessageService } from '@steward/proto/steward/user/v1/device_messages_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { DirectoryService } from '@steward/proto/steward/user/v1/directory_pb.ts';
import { EncryptionService } from '@steward/proto/steward/user/v1/encryption_pb.ts';
import { FederationService } from '@steward/proto/steward/user/v1/federation_pb.ts';
import { FilterService } from '@steward/proto/steward/user/v1/filters_pb.ts';
import { GroupService } from '@steward/proto/steward/user/v1/groups_pb.ts';
import { KeyBackupService } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { KeyService } from '@steward/proto/steward/user/v1/keys_pb.ts';
import { MaintenanceService } from '@steward/proto/steward/user/v1/maintenance_pb.ts';
import { OpenIdService } from '@steward/proto/steward/user/v1/openid_pb.ts';
import { OwnAccountService } from '@steward/proto/steward/user/v1/own_account_pb.ts';
import { OwnDeviceService } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { PasskeyService } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import { PlanService as UserPlanService } from '@steward/proto/steward/user/v1/plans_pb.ts';
import { ProfileService } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import { ProviderSignInService } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import { PushRuleService } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import { PusherService } from '@steward/proto/steward/user/v1/pushers_pb.ts';
import { RegistrationService } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { RegistrationTokenService } from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { SecondFactorService } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { ServerService } from '@steward/proto/steward/user/v1/server_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';

/** The RPC services that the gateway serves over HTTP, in the order of the documentation. */
export const services: readonly DescService[] = [
  RegistrationService,
  RegistrationTokenService,
  AccountService,
  GroupService,
  RoleService,
  AdminSessionService,
  PasskeyService,
  SecondFactorService,
  AutomationTokenService,
  ConditionService,
  QuotaService,
  DeviceService,
  KeyService,
  DeviceMessageService,
  KeyBackupService,
  SessionService,
  ProviderSignInService,
  OwnAccountService,
  OwnDeviceService,
  ProfileService,
  DirectoryService,
  RoomAdminService,
  BlockedRoomService,
  RoomOrderService,
  RoomDeletionService,
  HistoryPurgeService,
  UserRedactionService,
  UserRoomService,
  PushStateService,
  RoomService,
  MembershipService,
  EventService,
  RoomMediaService,
  StatisticsService,
  RoomStatisticsService,
  SearchService,
  TimelineService,
  SyncService,
  AliasService,
  PublicRoomService,
  SignalService,
  MediaService,
  MediaAdministrationService,
  MediaHashService,
  MediaInventoryService,
  MediaStatisticsService,
  ActivityService,
  EventReportService,
  UserReportService,
  ReportResolutionService,
  ReportService,
  ServerNoticeService,
  AuditService,
  FeedService,
  WebhookService,
  BulkService,
  TaskService,
  DeadLetterService,
  ServerStatusService,
  AccountDataService,
  PushRuleService,
  OpenIdService,
  PusherService,
  FilterService,
  EncryptionService,
  FederationService,
  MaintenanceService,
  ServerService,
  PlanService,
];

/** The RPC services that plan the calls of a service; each has the same methods. */
export const planServices: readonly DescService[] = [UserPlanService, RoomPlanService, MediaPlanService];
