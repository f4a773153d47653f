import type { StepUpFlow } from '@steward/sdk';

export const PASSWORD = 'm.login.password';
export const SSO = 'm.login.sso';
export const TOTP = 'steward.totp';
export const PASSKEY = 'steward.passkey';

/** The stages of all alternatives that prove who the user is. */
export function stagesOf({
  flows = [],
}: {
  readonly flows?: readonly StepUpFlow[] | undefined;
}): readonly string[] {
  return [...new Set(flows.flatMap(({ stages }) => stages))];
}
