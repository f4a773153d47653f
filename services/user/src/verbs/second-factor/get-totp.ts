import type { HandlerContext } from '@connectrpc/connect';
import { requester } from '@steward/rpc';
import { callersAccount } from '../../core/accounts/callers-account.ts';
import type { Deps } from '../../core/deps.ts';
import { toTotpStatus } from './render-status.ts';

/** Tells whether the caller's account has a second factor. */
export async function getTotp(deps: Deps, context: HandlerContext) {
  return { status: toTotpStatus(deps, await callersAccount(deps, requester(context))) };
}
