import type { HandlerContext } from '@connectrpc/connect';
import type { Deps } from '../../core/deps.ts';
import { ruleSet } from './own-push-rules.ts';

/** Returns all rules of the caller (client-plane.md 7.7). */
export async function listPushRules(deps: Deps, context: HandlerContext) {
  return { global: await ruleSet(deps, context) };
}
