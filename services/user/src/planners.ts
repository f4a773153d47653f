import { type Planner, planner } from '@steward/plans';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { AutomationTokenService } from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { PasskeyService } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import { RegistrationTokenService } from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { SecondFactorService } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import type { Deps } from './core/deps.ts';
import { planDeactivate } from './verbs/accounts/deactivate.ts';
import { planPutAdminFlag } from './verbs/accounts/put-admin-flag.ts';
import { planResetPassword } from './verbs/accounts/reset-password.ts';
import { planEndAccountAdminSession } from './verbs/admin-sessions/end-account-admin-session.ts';
import { planRevokeAutomationToken } from './verbs/automation-tokens/revoke-automation-token.ts';
import { planDeleteDevice } from './verbs/devices/delete-device.ts';
import { planDeleteDevices } from './verbs/devices/delete-devices.ts';
import { planRemoveAccountPasskey } from './verbs/passkeys/remove-account-passkey.ts';
import { planDeleteRegistrationToken } from './verbs/registration-tokens/delete-registration-token.ts';
import { planDeleteRole } from './verbs/roles/delete-role.ts';
import { planSetAccountRoles } from './verbs/roles/set-account-roles.ts';
import { planResetTotp } from './verbs/second-factor/reset-totp.ts';

/** What plans the calls of the service's methods. */
export function planners(deps: Deps): readonly Planner[] {
  return [
    planner(AccountService.method.deactivate, (request, context) => planDeactivate(deps, request, context)),
    planner(DeviceService.method.deleteDevice, (request, context) =>
      planDeleteDevice(deps, request, context),
    ),
    planner(DeviceService.method.deleteDevices, (request, context) =>
      planDeleteDevices(deps, request, context),
    ),
    planner(AdminSessionService.method.endAccountAdminSession, (request, context) =>
      planEndAccountAdminSession(deps, request, context),
    ),
    planner(AccountService.method.putAdminFlag, (request, context) =>
      planPutAdminFlag(deps, request, context),
    ),
    planner(AccountService.method.resetPassword, (request, context) =>
      planResetPassword(deps, request, context),
    ),
    planner(SecondFactorService.method.resetTotp, (request, context) =>
      planResetTotp(deps, request, context),
    ),
    planner(PasskeyService.method.removeAccountPasskey, (request, context) =>
      planRemoveAccountPasskey(deps, request, context),
    ),
    planner(RoleService.method.setAccountRoles, (request, context) =>
      planSetAccountRoles(deps, request, context),
    ),
    planner(RoleService.method.deleteRole, (request, context) => planDeleteRole(deps, request, context)),
    planner(AutomationTokenService.method.revokeAutomationToken, (request, context) =>
      planRevokeAutomationToken(deps, request, context),
    ),
    planner(RegistrationTokenService.method.deleteRegistrationToken, (request) =>
      planDeleteRegistrationToken(deps, request),
    ),
  ];
}
