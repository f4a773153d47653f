import type { Deps } from '../../core/deps.ts';

export const PASSWORD_LOGIN = 'm.login.password';

/** Returns the login flows (client-plane.md 7.2). */
export function getLoginFlows(deps: Deps) {
  return { flows: deps.settings.passwordLogin ? [{ type: PASSWORD_LOGIN }] : [] };
}
