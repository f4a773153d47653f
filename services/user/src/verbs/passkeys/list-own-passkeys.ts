import type { HandlerContext } from '@connectrpc/connect';
import { requester } from '@steward/rpc';
import { callersAccount } from '../../core/accounts/callers-account.ts';
import type { Deps } from '../../core/deps.ts';
import { renderPasskeys } from '../../core/passkeys/render-passkey.ts';

/** Lists the passkeys of the caller's account. */
export async function listOwnPasskeys(deps: Deps, context: HandlerContext) {
  return renderPasskeys(await callersAccount(deps, requester(context)));
}
