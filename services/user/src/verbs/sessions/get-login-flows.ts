import type { Deps } from '../../core/deps.ts';
import { PASSWORD_STAGE } from '../../core/model/proof-stages.ts';

/** Returns the login flows (client-plane.md 7.2). */
export function getLoginFlows(deps: Deps) {
  return { flows: deps.settings.passwordLogin ? [{ type: PASSWORD_STAGE }] : [] };
}
