import type { Me } from './session.ts';

/** When the session loses its rights unless the account has a second factor, in milliseconds since the Unix epoch; undefined for never. */
export function enrolmentDueOf({ scopes, second_factor_due_ts: due }: Me): number | undefined {
  return scopes.length > 0 ? due : undefined;
}

/** Whether the session has no rights before the account has a second factor. */
export function mustEnrol({ scopes, second_factor_due_ts: due, withheld_reason: reason }: Me): boolean {
  return scopes.length === 0 && due !== undefined && reason !== 'suspended';
}
