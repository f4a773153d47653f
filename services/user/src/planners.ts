import { type Planner, planner } from '@steward/plans';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import type { Deps } from './core/deps.ts';
import { planDeactivate } from './verbs/accounts/deactivate.ts';
import { planEndAccountAdminSession } from './verbs/admin-sessions/end-account-admin-session.ts';
import { planDeleteDevice } from './verbs/devices/delete-device.ts';
import { planDeleteDevices } from './verbs/devices/delete-devices.ts';

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
  ];
}
