import type { HandlerContext } from '@connectrpc/connect';
import type { Deps } from '../../core/deps.ts';
import { ruleSet } from './own-push-rules.ts';

/** The rules of the caller in the only scope that there is. */
export async function listGlobalPushRules(deps: Deps, context: HandlerContext) {
  return { rules: await ruleSet(deps, context) };
}
