import type { HandlerContext } from '@connectrpc/connect';
import type { Deps } from '../../core/deps.ts';
import { ownAccount } from './own-account.ts';
import { toTotpStatus } from './render-status.ts';

/** Tells whether the caller's account has a second factor. */
export async function getTotp(deps: Deps, context: HandlerContext) {
  return { status: toTotpStatus(deps, await ownAccount(deps, context)) };
}
