import { activityRoute } from '@steward/activity';
import { plans } from '@steward/plans';
import { AccountDataService } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { AccountFeedService } from '@steward/proto/steward/user/v1/account_feed_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { AuthorityService } from '@steward/proto/steward/user/v1/authority_pb.ts';
import { AutomationTokenService } from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { ConditionService } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { DeviceMessageService } from '@steward/proto/steward/user/v1/device_messages_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { DirectoryService } from '@steward/proto/steward/user/v1/directory_pb.ts';
import { EncryptionService } from '@steward/proto/steward/user/v1/encryption_pb.ts';
import { FederationService } from '@steward/proto/steward/user/v1/federation_pb.ts';
import { FilterService } from '@steward/proto/steward/user/v1/filters_pb.ts';
import { GroupService } from '@steward/proto/steward/user/v1/groups_pb.ts';
import { ImportService } from '@steward/proto/steward/user/v1/import_pb.ts';
import { KeyBackupService } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { KeyService } from '@steward/proto/steward/user/v1/keys_pb.ts';
import { MaintenanceService } from '@steward/proto/steward/user/v1/maintenance_pb.ts';
import { OpenIdService } from '@steward/proto/steward/user/v1/openid_pb.ts';
import { OwnAccountService } from '@steward/proto/steward/user/v1/own_account_pb.ts';
import { OwnDeviceService } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { PasskeyService } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import { PlanService } from '@steward/proto/steward/user/v1/plans_pb.ts';
import { ProfileService } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import { ProviderSignInService } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import { PushRuleService } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import { PushTargetService } from '@steward/proto/steward/user/v1/push_targets_pb.ts';
import { PusherService } from '@steward/proto/steward/user/v1/pushers_pb.ts';
import { AccountQuotaService } from '@steward/proto/steward/user/v1/quotas_pb.ts';
import { RegistrationService } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { RegistrationTokenService } from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import { ReportOrderService } from '@steward/proto/steward/user/v1/report_orders_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { SecondFactorService } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { ServerAccountService } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { ServerService } from '@steward/proto/steward/user/v1/server_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { recordsRoute } from '@steward/records';
import { type Route, route } from '@steward/rpc';
import { deleteAggregates } from '@steward/service';
import { statisticsRoute } from '@steward/statistics';
import { NOT_FLUSHED } from '@steward/store';
import { taskRoute } from '@steward/tasks';
import { checkUsername } from './core/accounts/username.ts';
import { activityStreams } from './core/activity/streams.ts';
import { authenticate } from './core/authentication/authenticate.ts';
import { authorityOf } from './core/authority/authority-of.ts';
import { collections } from './core/collections.ts';
import { countSignIn } from './core/components/sign-ins.ts';
import type { Deps } from './core/deps.ts';
import { recordKinds } from './core/records/record-kinds.ts';
import { readFigures } from './core/statistics/read-figures.ts';
import { importDevices } from './import/import-devices.ts';
import { importRoles } from './import/import-roles.ts';
import { importUsers } from './import/import-users.ts';
import { withoutOwners } from './import/owners.ts';
import { planners } from './planners.ts';
import { countRoomData } from './verbs/account-data/count-room-data.ts';
import { deleteTag } from './verbs/account-data/delete-tag.ts';
import { getAccountData } from './verbs/account-data/get-account-data.ts';
import { getRoomAccountData } from './verbs/account-data/get-room-account-data.ts';
import { listAccountData } from './verbs/account-data/list-account-data.ts';
import { listTags } from './verbs/account-data/list-tags.ts';
import { putAccountData } from './verbs/account-data/put-account-data.ts';
import { putRoomAccountData } from './verbs/account-data/put-room-account-data.ts';
import { putTag } from './verbs/account-data/put-tag.ts';
import { getPushRules } from './verbs/account-feed/get-push-rules.ts';
import { listIgnoredUsers } from './verbs/account-feed/list-ignored-users.ts';
import { listKeyChanges } from './verbs/account-feed/list-key-changes.ts';
import { readAccountFeed } from './verbs/account-feed/read-account-feed.ts';
import { deactivate } from './verbs/accounts/deactivate.ts';
import { findUserByExternalId } from './verbs/accounts/find-user-by-external-id.ts';
import { findUserByThreepid } from './verbs/accounts/find-user-by-threepid.ts';
import { getAdminFlag } from './verbs/accounts/get-admin-flag.ts';
import { getUser } from './verbs/accounts/get-user.ts';
import { getUserNames } from './verbs/accounts/get-user-names.ts';
import { listUsers } from './verbs/accounts/list-users.ts';
import { listUsersByState } from './verbs/accounts/list-users-by-state.ts';
import { putAdminFlag } from './verbs/accounts/put-admin-flag.ts';
import { putUser } from './verbs/accounts/put-user.ts';
import { resetPassword } from './verbs/accounts/reset-password.ts';
import { searchUserIds } from './verbs/accounts/search-user-ids.ts';
import { createAdminSession } from './verbs/admin-sessions/create-admin-session.ts';
import { endAccountAdminSession } from './verbs/admin-sessions/end-account-admin-session.ts';
import { endAdminSession } from './verbs/admin-sessions/end-admin-session.ts';
import { endOwnAdminSession } from './verbs/admin-sessions/end-own-admin-session.ts';
import { getAdminSession } from './verbs/admin-sessions/get-admin-session.ts';
import { listAccountAdminSessions } from './verbs/admin-sessions/list-account-admin-sessions.ts';
import { listOwnAdminSessions } from './verbs/admin-sessions/list-own-admin-sessions.ts';
import { stepUp } from './verbs/admin-sessions/step-up.ts';
import { listPrivileged, readAuthority } from './verbs/authority/read-authority.ts';
import { createAutomationToken } from './verbs/automation-tokens/create-automation-token.ts';
import { getAutomationToken } from './verbs/automation-tokens/get-automation-token.ts';
import { listAutomationTokens } from './verbs/automation-tokens/list-automation-tokens.ts';
import { revokeAutomationToken } from './verbs/automation-tokens/revoke-automation-token.ts';
import { rotateAutomationToken } from './verbs/automation-tokens/rotate-automation-token.ts';
import { allowCrossSigningReplacement } from './verbs/conditions/allow-cross-signing-replacement.ts';
import { clearRateLimit } from './verbs/conditions/clear-rate-limit.ts';
import { getExperimentalFeatures } from './verbs/conditions/get-experimental-features.ts';
import { getRateLimit } from './verbs/conditions/get-rate-limit.ts';
import { liftShadowBan } from './verbs/conditions/lift-shadow-ban.ts';
import { setExperimentalFeatures } from './verbs/conditions/set-experimental-features.ts';
import { setRateLimit } from './verbs/conditions/set-rate-limit.ts';
import { setValidity } from './verbs/conditions/set-validity.ts';
import { shadowBan } from './verbs/conditions/shadow-ban.ts';
import { suspend } from './verbs/conditions/suspend.ts';
import { listDehydratedMessages } from './verbs/device-messages/list-dehydrated-messages.ts';
import { sendToDevice } from './verbs/device-messages/send-to-device.ts';
import { countDevices } from './verbs/devices/count-devices.ts';
import { createDevice } from './verbs/devices/create-device.ts';
import { deleteDehydratedDevice } from './verbs/devices/delete-dehydrated-device.ts';
import { deleteDevice } from './verbs/devices/delete-device.ts';
import { deleteDevices } from './verbs/devices/delete-devices.ts';
import { deleteOwnDevice } from './verbs/devices/delete-own-device.ts';
import { deleteOwnDevices } from './verbs/devices/delete-own-devices.ts';
import { getDehydratedDevice } from './verbs/devices/get-dehydrated-device.ts';
import { getDevice } from './verbs/devices/get-device.ts';
import { getOwnDevice } from './verbs/devices/get-own-device.ts';
import { listDevices } from './verbs/devices/list-devices.ts';
import { listOwnDevices } from './verbs/devices/list-own-devices.ts';
import { putDehydratedDevice } from './verbs/devices/put-dehydrated-device.ts';
import { updateDevice } from './verbs/devices/update-device.ts';
import { updateOwnDevice } from './verbs/devices/update-own-device.ts';
import { searchUsers } from './verbs/directory/search-users.ts';
import { getEncryption } from './verbs/encryption/get-encryption.ts';
import { createFilter } from './verbs/filters/create-filter.ts';
import { findFilter } from './verbs/filters/find-filter.ts';
import { getFilter } from './verbs/filters/get-filter.ts';
import { addGroupMember } from './verbs/groups/add-group-member.ts';
import { createGroup } from './verbs/groups/create-group.ts';
import { deleteGroup } from './verbs/groups/delete-group.ts';
import { getGroup } from './verbs/groups/get-group.ts';
import { listGroupMembers } from './verbs/groups/list-group-members.ts';
import { listGroups } from './verbs/groups/list-groups.ts';
import { planGroup } from './verbs/groups/plan-group.ts';
import { removeGroupMember } from './verbs/groups/remove-group-member.ts';
import { updateGroup } from './verbs/groups/update-group.ts';
import { createKeyBackup } from './verbs/key-backups/create-key-backup.ts';
import { deleteKeyBackup } from './verbs/key-backups/delete-key-backup.ts';
import { deleteKeys } from './verbs/key-backups/delete-keys.ts';
import { getKeyBackup } from './verbs/key-backups/get-key-backup.ts';
import { getKeys } from './verbs/key-backups/get-keys.ts';
import { getRoomKeys } from './verbs/key-backups/get-room-keys.ts';
import { getSessionKey } from './verbs/key-backups/get-session-key.ts';
import { putKeys } from './verbs/key-backups/put-keys.ts';
import { putRoomKeys } from './verbs/key-backups/put-room-keys.ts';
import { putSessionKey } from './verbs/key-backups/put-session-key.ts';
import { updateKeyBackup } from './verbs/key-backups/update-key-backup.ts';
import { claimKeys } from './verbs/keys/claim-keys.ts';
import { queryKeys } from './verbs/keys/query-keys.ts';
import { uploadCrossSigningKeys } from './verbs/keys/upload-cross-signing-keys.ts';
import { uploadKeys } from './verbs/keys/upload-keys.ts';
import { uploadSignatures } from './verbs/keys/upload-signatures.ts';
import { createOpenIdToken } from './verbs/openid/create-openid-token.ts';
import { getOpenIdUser } from './verbs/openid/get-openid-user.ts';
import { changeOwnPassword } from './verbs/own-account/change-own-password.ts';
import { deactivateOwnAccount } from './verbs/own-account/deactivate-own-account.ts';
import { deleteOwnThreepid } from './verbs/own-account/delete-own-threepid.ts';
import { getPasswordPolicy } from './verbs/own-account/get-password-policy.ts';
import { listOwnThreepids } from './verbs/own-account/list-own-threepids.ts';
import { refuseThreepid } from './verbs/own-account/refuse-threepid.ts';
import { addPasskey } from './verbs/passkeys/add-passkey.ts';
import { beginPasskey } from './verbs/passkeys/begin-passkey.ts';
import { beginPasskeySignIn, beginPasskeyStepUp } from './verbs/passkeys/begin-passkey-sign-in.ts';
import { listAccountPasskeys } from './verbs/passkeys/list-account-passkeys.ts';
import { listOwnPasskeys } from './verbs/passkeys/list-own-passkeys.ts';
import { removeAccountPasskey } from './verbs/passkeys/remove-account-passkey.ts';
import { removePasskey } from './verbs/passkeys/remove-passkey.ts';
import { renamePasskey } from './verbs/passkeys/rename-passkey.ts';
import { deleteAvatarUrl } from './verbs/profiles/delete-avatar-url.ts';
import { deleteDisplayname } from './verbs/profiles/delete-displayname.ts';
import { deleteProfileField } from './verbs/profiles/delete-profile-field.ts';
import { findAvatarsInUse } from './verbs/profiles/find-avatars-in-use.ts';
import { getAvatarUrl } from './verbs/profiles/get-avatar-url.ts';
import { getDisplayname } from './verbs/profiles/get-displayname.ts';
import { getProfile } from './verbs/profiles/get-profile.ts';
import { getProfileField } from './verbs/profiles/get-profile-field.ts';
import { getProfiles } from './verbs/profiles/get-profiles.ts';
import { putAvatarUrl } from './verbs/profiles/put-avatar-url.ts';
import { putDisplayname } from './verbs/profiles/put-displayname.ts';
import { putProfileField } from './verbs/profiles/put-profile-field.ts';
import { receiveProviderLogout } from './verbs/provider-logout/receive-provider-logout.ts';
import { completeConsoleSignIn } from './verbs/provider-sign-in/complete-console-sign-in.ts';
import { completeProviderSignIn } from './verbs/provider-sign-in/complete-provider-sign-in.ts';
import { getSignInProviders } from './verbs/provider-sign-in/get-sign-in-providers.ts';
import { startConsoleSignIn } from './verbs/provider-sign-in/start-console-sign-in.ts';
import { startInteractiveSignIn } from './verbs/provider-sign-in/start-interactive-sign-in.ts';
import { startProviderSignIn } from './verbs/provider-sign-in/start-provider-sign-in.ts';
import { deletePushRule } from './verbs/push-rules/delete-push-rule.ts';
import { getPushRule } from './verbs/push-rules/get-push-rule.ts';
import { getPushRuleActions } from './verbs/push-rules/get-push-rule-actions.ts';
import { getPushRuleEnabled } from './verbs/push-rules/get-push-rule-enabled.ts';
import { listGlobalPushRules } from './verbs/push-rules/list-global-push-rules.ts';
import { listPushRules } from './verbs/push-rules/list-push-rules.ts';
import { putPushRule } from './verbs/push-rules/put-push-rule.ts';
import { putPushRuleActions } from './verbs/push-rules/put-push-rule-actions.ts';
import { putPushRuleEnabled } from './verbs/push-rules/put-push-rule-enabled.ts';
import { listPushTargets } from './verbs/push-targets/list-push-targets.ts';
import { removePushers } from './verbs/push-targets/remove-pushers.ts';
import { listOwnPushers } from './verbs/pushers/list-own-pushers.ts';
import { listPushers } from './verbs/pushers/list-pushers.ts';
import { setPusher } from './verbs/pushers/set-pusher.ts';
import { readAccountQuotas } from './verbs/quotas/read-account-quotas.ts';
import { setAccountQuotas } from './verbs/quotas/set-account-quotas.ts';
import { checkRegistrationToken } from './verbs/registration/check-registration-token.ts';
import { checkRegistrationUsername } from './verbs/registration/check-registration-username.ts';
import { getNonce } from './verbs/registration/get-nonce.ts';
import { register } from './verbs/registration/register.ts';
import { registerWithSecret } from './verbs/registration/register-with-secret.ts';
import { createRegistrationToken } from './verbs/registration-tokens/create-registration-token.ts';
import { deleteRegistrationToken } from './verbs/registration-tokens/delete-registration-token.ts';
import { getRegistrationToken } from './verbs/registration-tokens/get-registration-token.ts';
import { listRegistrationTokens } from './verbs/registration-tokens/list-registration-tokens.ts';
import { updateRegistrationToken } from './verbs/registration-tokens/update-registration-token.ts';
import { carryOutOrder } from './verbs/report-orders/carry-out-order.ts';
import { createRole } from './verbs/roles/create-role.ts';
import { deleteRole } from './verbs/roles/delete-role.ts';
import { getAccountRoles } from './verbs/roles/get-account-roles.ts';
import { getMe } from './verbs/roles/get-me.ts';
import { getRole } from './verbs/roles/get-role.ts';
import { listRoles } from './verbs/roles/list-roles.ts';
import { setAccountRoles } from './verbs/roles/set-account-roles.ts';
import { updateRole } from './verbs/roles/update-role.ts';
import { beginTotp } from './verbs/second-factor/begin-totp.ts';
import { confirmTotp } from './verbs/second-factor/confirm-totp.ts';
import { getTotp } from './verbs/second-factor/get-totp.ts';
import { getUserTotp } from './verbs/second-factor/get-user-totp.ts';
import { removeTotp } from './verbs/second-factor/remove-totp.ts';
import { renewRecoveryCodes } from './verbs/second-factor/renew-recovery-codes.ts';
import { resetTotp } from './verbs/second-factor/reset-totp.ts';
import { getCapabilities } from './verbs/server/get-capabilities.ts';
import { getClientDiscovery } from './verbs/server/get-client-discovery.ts';
import { getServerDiscovery } from './verbs/server/get-server-discovery.ts';
import { getServerKeys } from './verbs/server/get-server-keys.ts';
import { getFederationVersion, getServerVersion } from './verbs/server/get-server-version.ts';
import { getSupport } from './verbs/server/get-support.ts';
import { getUpdateStatus } from './verbs/server/get-update-status.ts';
import { getUpdatesEnabled } from './verbs/server/get-updates-enabled.ts';
import { listClientVersions } from './verbs/server/list-client-versions.ts';
import { listDestinations } from './verbs/server/list-destinations.ts';
import { setUpdatesEnabled } from './verbs/server/set-updates-enabled.ts';
import { unknownDestination } from './verbs/server/unknown-destination.ts';
import { ensureAccount } from './verbs/server-accounts/ensure-account.ts';
import { setFullyRead } from './verbs/server-accounts/set-fully-read.ts';
import { tagRoom } from './verbs/server-accounts/tag-room.ts';
import { getLoginFlows } from './verbs/sessions/get-login-flows.ts';
import { login } from './verbs/sessions/login.ts';
import { loginAs } from './verbs/sessions/login-as.ts';
import { logout } from './verbs/sessions/logout.ts';
import { logoutAll } from './verbs/sessions/logout-all.ts';
import { refresh } from './verbs/sessions/refresh.ts';
import { takeBodyBytes } from './verbs/sessions/take-body-bytes.ts';
import { whoAmI } from './verbs/sessions/who-am-i.ts';
import { whoIs } from './verbs/sessions/who-is.ts';

/** Routes each RPC to its function. */
export function createRoutes(deps: Deps): readonly Route[] {
  return [
    route(AccountService, {
      getUser: (request) => getUser(deps, request),
      putUser: (request, context) => putUser(deps, request, context),
      listUsers: (request) => listUsers(deps, request),
      listUsersByState: (request) => listUsersByState(deps, request),
      getUserNames: (request) => getUserNames(deps, request),
      searchUserIds: (request, context) => searchUserIds(deps, request, context),
      findUserByExternalId: (request) => findUserByExternalId(deps, request),
      findUserByThreepid: (request) => findUserByThreepid(deps, request),
      deactivate: (request, context) => deactivate(deps, request, context),
      resetPassword: (request, context) => resetPassword(deps, request, context),
      getAdminFlag: (request) => getAdminFlag(deps, request),
      putAdminFlag: (request, context) => putAdminFlag(deps, request, context),
      checkUsername: async (request) => {
        await checkUsername(deps, request.username);
        return { available: true };
      },
    }),
    route(ConditionService, {
      shadowBan: (request, context) => shadowBan(deps, request, context),
      liftShadowBan: (request, context) => liftShadowBan(deps, request, context),
      suspend: (request, context) => suspend(deps, request, context),
      getRateLimit: (request) => getRateLimit(deps, request),
      setRateLimit: (request, context) => setRateLimit(deps, request, context),
      clearRateLimit: (request, context) => clearRateLimit(deps, request, context),
      setValidity: (request, context) => setValidity(deps, request, context),
      getExperimentalFeatures: (request) => getExperimentalFeatures(deps, request),
      setExperimentalFeatures: (request, context) => setExperimentalFeatures(deps, request, context),
      allowCrossSigningReplacement: (request, context) =>
        allowCrossSigningReplacement(deps, request, context),
    }),
    route(DeviceService, {
      countDevices: (request) => countDevices(deps, request),
      listDevices: (request) => listDevices(deps, request),
      createDevice: (request, context) => createDevice(deps, request, context),
      deleteDevices: (request, context) => deleteDevices(deps, request, context),
      getDevice: (request) => getDevice(deps, request),
      updateDevice: (request, context) => updateDevice(deps, request, context),
      deleteDevice: (request, context) => deleteDevice(deps, request, context),
    }),
    route(EncryptionService, {
      getEncryption: (request) => getEncryption(deps, request),
    }),
    route(OwnAccountService, {
      changeOwnPassword: (request, context) => changeOwnPassword(deps, request, context),
      deactivateOwnAccount: (request, context) => deactivateOwnAccount(deps, request, context),
      getPasswordPolicy: () => getPasswordPolicy(deps),
      listOwnThreepids: (_, context) => listOwnThreepids(deps, context),
      deleteOwnThreepid: () => deleteOwnThreepid(),
      changeOwnThreepid: () => refuseThreepid(),
      requestThreepidToken: () => refuseThreepid(),
    }),
    route(OwnDeviceService, {
      listOwnDevices: (_, context) => listOwnDevices(deps, context),
      getOwnDevice: (request, context) => getOwnDevice(deps, request, context),
      updateOwnDevice: (request, context) => updateOwnDevice(deps, request, context),
      deleteOwnDevice: (request, context) => deleteOwnDevice(deps, request, context),
      deleteOwnDevices: (request, context) => deleteOwnDevices(deps, request, context),
      putDehydratedDevice: (request, context) => putDehydratedDevice(deps, request, context),
      getDehydratedDevice: (_, context) => getDehydratedDevice(deps, context),
      deleteDehydratedDevice: (_, context) => deleteDehydratedDevice(deps, context),
    }),
    route(DeviceMessageService, {
      sendToDevice: (request, context) => sendToDevice(deps, request, context),
      listDehydratedMessages: (request, context) => listDehydratedMessages(deps, request, context),
    }),
    route(KeyService, {
      uploadKeys: (request, context) => uploadKeys(deps, request, context),
      queryKeys: (request, context) => queryKeys(deps, request, context),
      claimKeys: (request) => claimKeys(deps, request),
      uploadCrossSigningKeys: (request, context) => uploadCrossSigningKeys(deps, request, context),
      uploadSignatures: (request, context) => uploadSignatures(deps, request, context),
    }),
    route(KeyBackupService, {
      createKeyBackup: (request, context) => createKeyBackup(deps, request, context),
      getKeyBackup: (request, context) => getKeyBackup(deps, request, context),
      updateKeyBackup: (request, context) => updateKeyBackup(deps, request, context),
      deleteKeyBackup: (request, context) => deleteKeyBackup(deps, request, context),
      putKeys: (request, context) => putKeys(deps, request, context),
      putRoomKeys: (request, context) => putRoomKeys(deps, request, context),
      putSessionKey: (request, context) => putSessionKey(deps, request, context),
      getKeys: (request, context) => getKeys(deps, request, context),
      getRoomKeys: (request, context) => getRoomKeys(deps, request, context),
      getSessionKey: (request, context) => getSessionKey(deps, request, context),
      deleteKeys: (request, context) => deleteKeys(deps, request, context),
    }),
    route(RegistrationService, {
      getNonce: () => getNonce(deps),
      registerWithSecret: (request, context) =>
        countSignIn(deps.signIns, 'shared_secret', registerWithSecret(deps, request, context)),
      register: (request, context) =>
        countSignIn(deps.signIns, 'registration', register(deps, request, context)),
      checkRegistrationUsername: (request, context) => checkRegistrationUsername(deps, request, context),
      checkRegistrationToken: (request, context) => checkRegistrationToken(deps, request, context),
    }),
    route(RegistrationTokenService, {
      listRegistrationTokens: (request) => listRegistrationTokens(deps, request),
      createRegistrationToken: (request, context) => createRegistrationToken(deps, request, context),
      getRegistrationToken: (request) => getRegistrationToken(deps, request),
      updateRegistrationToken: (request) => updateRegistrationToken(deps, request),
      deleteRegistrationToken: (request) => deleteRegistrationToken(deps, request),
    }),
    route(SessionService, {
      authenticate: (request) =>
        authenticate(
          deps,
          request.accessToken,
          request,
          request.clientAddress === undefined
            ? undefined
            : { address: request.clientAddress, userAgent: request.clientUserAgent },
        ),
      takeBodyBytes: (request) => takeBodyBytes(deps, request),
      getLoginFlows: () => getLoginFlows(deps),
      login: (request, context) => countSignIn(deps.signIns, 'password', login(deps, request, context)),
      refresh: (request) => countSignIn(deps.signIns, 'refresh', refresh(deps, request)),
      logout: (_, context) => logout(deps, context),
      logoutAll: (_, context) => logoutAll(deps, context),
      whoAmI: (_, context) => whoAmI(context),
      loginAs: (request, context) => countSignIn(deps.signIns, 'login_as', loginAs(deps, request, context)),
      whoIs: (request) => whoIs(deps, request),
    }),
    route(AutomationTokenService, {
      listAutomationTokens: (request) => listAutomationTokens(deps, request),
      createAutomationToken: (request, context) => createAutomationToken(deps, request, context),
      getAutomationToken: (request) => getAutomationToken(deps, request),
      rotateAutomationToken: (request, context) => rotateAutomationToken(deps, request, context),
      revokeAutomationToken: (request, context) => revokeAutomationToken(deps, request, context),
    }),
    route(PasskeyService, {
      beginPasskey: (_, context) => beginPasskey(deps, context),
      addPasskey: (request, context) => addPasskey(deps, request, context),
      listOwnPasskeys: (_, context) => listOwnPasskeys(deps, context),
      renamePasskey: (request, context) => renamePasskey(deps, request, context),
      removePasskey: (request, context) => removePasskey(deps, request, context),
      listAccountPasskeys: (request) => listAccountPasskeys(deps, request),
      removeAccountPasskey: (request, context) => removeAccountPasskey(deps, request, context),
      beginPasskeySignIn: (_, context) => beginPasskeySignIn(deps, context),
      beginPasskeyStepUp: (_, context) => beginPasskeyStepUp(deps, context),
    }),
    route(AdminSessionService, {
      createAdminSession: (request, context) =>
        countSignIn(deps.signIns, 'admin_session', createAdminSession(deps, request, context)),
      getAdminSession: (_, context) => getAdminSession(deps, context),
      endAdminSession: (_, context) => endAdminSession(deps, context),
      stepUp: (request, context) => stepUp(deps, request, context),
      listOwnAdminSessions: (_, context) => listOwnAdminSessions(deps, context),
      endOwnAdminSession: (request, context) => endOwnAdminSession(deps, request, context),
      listAccountAdminSessions: (request, context) => listAccountAdminSessions(deps, request, context),
      endAccountAdminSession: (request, context) => endAccountAdminSession(deps, request, context),
    }),
    route(PlanService, { planCall: plans(planners(deps)) }),
    route(RoleService, {
      listRoles: () => listRoles(deps),
      createRole: (request, context) => createRole(deps, request, context),
      getRole: (request) => getRole(deps, request),
      updateRole: (request, context) => updateRole(deps, request, context),
      deleteRole: (request, context) => deleteRole(deps, request, context),
      getAccountRoles: (request) => getAccountRoles(deps, request),
      setAccountRoles: (request, context) => setAccountRoles(deps, request, context),
      getMe: (_, context) => getMe(deps, context),
    }),
    route(GroupService, {
      listGroups: (request) => listGroups(deps, request),
      createGroup: (request, context) => createGroup(deps, request, context),
      getGroup: (request) => getGroup(deps, request),
      updateGroup: (request, context) => updateGroup(deps, request, context),
      deleteGroup: (request, context) => deleteGroup(deps, request, context),
      listGroupMembers: (request) => listGroupMembers(deps, request),
      addGroupMember: (request, context) => addGroupMember(deps, request, context),
      removeGroupMember: (request, context) => removeGroupMember(deps, request, context),
      planGroup: (request) => planGroup(deps, request),
    }),
    taskRoute(deps.tasks),
    route(SecondFactorService, {
      getTotp: (_, context) => getTotp(deps, context),
      beginTotp: (request, context) => beginTotp(deps, request, context),
      confirmTotp: (request, context) => confirmTotp(deps, request, context),
      renewRecoveryCodes: (request, context) => renewRecoveryCodes(deps, request, context),
      removeTotp: (request, context) => removeTotp(deps, request, context),
      getUserTotp: (request) => getUserTotp(deps, request),
      resetTotp: (request, context) => resetTotp(deps, request, context),
    }),
    route(ProfileService, {
      getProfile: (request, context) => getProfile(deps, request, context),
      getProfiles: (request) => getProfiles(deps, request),
      findAvatarsInUse: (request) => findAvatarsInUse(deps, request),
      getDisplayname: (request, context) => getDisplayname(deps, request, context),
      putDisplayname: (request, context) => putDisplayname(deps, request, context),
      getAvatarUrl: (request, context) => getAvatarUrl(deps, request, context),
      putAvatarUrl: (request, context) => putAvatarUrl(deps, request, context),
      getProfileField: (request, context) => getProfileField(deps, request, context),
      putProfileField: (request, context) => putProfileField(deps, request, context),
      deleteDisplayname: (request, context) => deleteDisplayname(deps, request, context),
      deleteAvatarUrl: (request, context) => deleteAvatarUrl(deps, request, context),
      deleteProfileField: (request, context) => deleteProfileField(deps, request, context),
    }),
    route(ProviderSignInService, {
      startProviderSignIn: (request, context) => startProviderSignIn(deps, request, context),
      startInteractiveSignIn: (request, context) => startInteractiveSignIn(deps, request, context),
      completeProviderSignIn: (request, context) => completeProviderSignIn(deps, request, context),
      receiveProviderLogout: (pieces, context) => receiveProviderLogout(deps, pieces, context),
      getSignInProviders: () => getSignInProviders(deps),
      startConsoleSignIn: (request, context) => startConsoleSignIn(deps, request, context),
      completeConsoleSignIn: (request, context) => completeConsoleSignIn(deps, request, context),
    }),
    route(OpenIdService, {
      createOpenIdToken: (request, context) => createOpenIdToken(deps, request, context),
      getOpenIdUser: (request) => getOpenIdUser(deps, request),
    }),
    route(DirectoryService, {
      searchUsers: (request, context) => searchUsers(deps, request, context),
    }),
    route(AccountDataService, {
      countRoomData: (request) => countRoomData(deps, request),
      getAccountData: (request, context) => getAccountData(deps, request, context),
      putAccountData: (request, context) => putAccountData(deps, request, context),
      getRoomAccountData: (request, context) => getRoomAccountData(deps, request, context),
      putRoomAccountData: (request, context) => putRoomAccountData(deps, request, context),
      listTags: (request, context) => listTags(deps, request, context),
      putTag: (request, context) => putTag(deps, request, context),
      deleteTag: (request, context) => deleteTag(deps, request, context),
      listAccountData: (request, context) => listAccountData(deps, request, context),
    }),
    route(AccountFeedService, {
      readAccountFeed: (request) => readAccountFeed(deps, request),
      listIgnoredUsers: (request) => listIgnoredUsers(deps, request),
      listKeyChanges: (request) => listKeyChanges(deps, request),
      findFilter: (request) => findFilter(deps, request),
      getPushRules: (request) => getPushRules(deps, request),
    }),
    route(PushTargetService, {
      listPushTargets: (request) => listPushTargets(deps, request),
      removePushers: (request) => removePushers(deps, request),
    }),
    route(PushRuleService, {
      listPushRules: (_, context) => listPushRules(deps, context),
      listGlobalPushRules: (_, context) => listGlobalPushRules(deps, context),
      getPushRule: (request, context) => getPushRule(deps, request, context),
      putPushRule: (request, context) => putPushRule(deps, request, context),
      deletePushRule: (request, context) => deletePushRule(deps, request, context),
      getPushRuleEnabled: (request, context) => getPushRuleEnabled(deps, request, context),
      putPushRuleEnabled: (request, context) => putPushRuleEnabled(deps, request, context),
      getPushRuleActions: (request, context) => getPushRuleActions(deps, request, context),
      putPushRuleActions: (request, context) => putPushRuleActions(deps, request, context),
    }),
    route(PusherService, {
      listOwnPushers: (_, context) => listOwnPushers(deps, context),
      setPusher: (request, context) => setPusher(deps, request, context),
      listPushers: (request) => listPushers(deps, request),
    }),
    route(FilterService, {
      createFilter: (request, context) => createFilter(deps, request, context),
      getFilter: (request, context) => getFilter(deps, request, context),
    }),
    route(ImportService, {
      importRoles: (request) => importRoles(deps, request),
      importUsers: (request) => importUsers(deps, request),
      importDevices: (request) => importDevices(deps, request),
    }),
    recordsRoute({
      kinds: recordKinds,
      collections,
      opened: deps,
      problemsOf: (kind, documents) => withoutOwners(deps, kind, documents),
      removers: {
        users: (ids) => deleteAggregates(deps.accounts, { _id: { $in: ids } }, NOT_FLUSHED),
        devices: (ids) => deps.devices.deleteMany({ _id: { $in: ids } }, NOT_FLUSHED),
      },
    }),
    route(FederationService, {
      listDestinations: () => listDestinations(),
      getDestination: () => unknownDestination(),
      listDestinationRooms: () => unknownDestination(),
      resetConnection: () => unknownDestination(),
    }),
    route(MaintenanceService, {
      getUpdateStatus: () => getUpdateStatus(deps),
      getUpdatesEnabled: () => getUpdatesEnabled(deps),
      setUpdatesEnabled: (request) => setUpdatesEnabled(deps, request),
      startJob: () => ({}),
    }),
    route(AccountQuotaService, {
      readAccountQuotas: (request) => readAccountQuotas(deps, request),
      setAccountQuotas: (request, context) => setAccountQuotas(deps, request, context),
    }),
    route(AuthorityService, {
      readAuthority: (request) => readAuthority(deps, request),
      listPrivileged: () => listPrivileged(deps),
      readRights: async ({ name }) => {
        const { admin, scopes = [] } = await authorityOf(deps).rightsOf(name);
        return { admin, scopes };
      },
    }),
    route(ReportOrderService, {
      carryOutOrder: (request, context) => carryOutOrder(deps, request, context),
    }),
    route(ServerAccountService, {
      ensureAccount: (request) => ensureAccount(deps, request),
      tagRoom: (request) => tagRoom(deps, request),
      setFullyRead: (request) => setFullyRead(deps, request),
    }),
    route(ServerService, {
      getServerVersion: () => getServerVersion(),
      getFederationVersion: () => getFederationVersion(),
      listClientVersions: () => listClientVersions(),
      getCapabilities: () => getCapabilities(deps),
      getClientDiscovery: () => getClientDiscovery(deps),
      getSupport: () => getSupport(deps),
      getServerDiscovery: () => getServerDiscovery(deps),
      getServerKeys: () => getServerKeys(deps),
      getTurnServer: () => ({}),
      listThirdPartyProtocols: () => ({}),
    }),
    activityRoute(activityStreams(deps)),
    statisticsRoute({ figures: () => readFigures(deps), counts: deps.counts }),
  ];
}
