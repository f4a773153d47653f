import type { MessageInitShape } from '@bufbuild/protobuf';
import { formatUserId } from '@steward/kernel';
import type {
  RegisterRequest,
  RegisterResponseSchema,
} from '@steward/proto/steward/user/v1/registration_pb.ts';
import type { Client } from '@steward/rpc';
import { Conflict } from '@steward/store';
import { createAccount } from '../../core/accounts/change-account.ts';
import { requireMonthlyCapacity } from '../../core/accounts/monthly-limit.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import type { Cause } from '../../core/model/cause.ts';
import { startSession } from '../../core/sessions/start-session.ts';

/** The device of every guest. */
const GUEST_DEVICE_ID = 'guest_device';

/** How many numbers a guest's name is drawn from; two guests hardly draw the same. */
const GUEST_NUMBERS = 2 ** 47;
const ATTEMPTS = 5;

/**
 * Creates a guest account, without a chosen name or a password (client-plane.md 7.3). Its name is a number, which
 * no other account can have; its token does not expire.
 */
export async function registerGuest(
  deps: Deps,
  request: RegisterRequest,
  {
    address,
    client,
    cause,
    requestId,
  }: {
    readonly address: string;
    readonly client: Client | undefined;
    readonly cause: Cause;
    readonly requestId: string;
  },
): Promise<MessageInitShape<typeof RegisterResponseSchema>> {
  await requireMonthlyCapacity(deps);
  deps.limits.registration.take(address);
  let guest: Account;
  try {
    guest = await createGuest(deps, cause, requestId);
  } catch (error) {
    deps.limits.registration.giveBack(address);
    throw error;
  }
  const session = await startSession(deps, guest, {
    deviceId: GUEST_DEVICE_ID,
    displayName: request.initialDeviceDisplayName,
    client,
  });
  return { userId: guest._id, homeServer: deps.serverName, ...session };
}

async function createGuest(
  deps: Deps,
  cause: Cause,
  requestId: string,
  attempts = ATTEMPTS,
): Promise<Account> {
  const localpart = String(deps.random.below(GUEST_NUMBERS));
  try {
    const actor = formatUserId(localpart, deps.serverName);
    const created = { kind: 'event', event: 'created', actor, request_id: requestId } as const;
    return await createAccount(deps, { localpart, displayname: localpart, is_guest: true }, cause, [created]);
  } catch (error) {
    if (!(error instanceof Conflict) || attempts === 1) throw error;
    return createGuest(deps, cause, requestId, attempts - 1);
  }
}
