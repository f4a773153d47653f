import type { HandlerContext } from '@connectrpc/connect';
import type { Deps } from '../../core/deps.ts';
import { ruleSet } from './own-push-rules.ts';

/** Returns the caller's rules in the only scope, `global`. */
export async function listGlobalPushRules(deps: Deps, context: HandlerContext) {
  return { rules: await ruleSet(deps, context) };
}
