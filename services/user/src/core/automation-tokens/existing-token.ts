import { refuse } from '@steward/errors';
import type { AutomationToken } from '../model/automation-token.ts';

/** @throws refuse.notFound when there is no such token */
export function existingToken(token: AutomationToken | null | undefined): AutomationToken {
  if (!token) throw refuse.notFound('Automation token not found');
  return token;
}
