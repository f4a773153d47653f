import type { ListAccountPasskeysRequest } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { renderPasskeys } from '../../core/passkeys/render-passkey.ts';

/** Lists the passkeys of an account. */
export async function listAccountPasskeys(deps: Deps, { userId }: ListAccountPasskeysRequest) {
  return renderPasskeys(await existingAccount(deps, userId));
}
