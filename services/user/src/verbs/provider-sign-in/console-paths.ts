/** The path at which a sign-in to the console starts. */
export function consoleStartPath(provider: string, isStepUp: boolean): string {
  return `/_service/admin/v1/session/oidc/${provider}${isStepUp ? '?step_up=true' : ''}`;
}

/** The address of the console with a login token: in the fragment, which browsers send to no server. */
export function consolePath(loginToken: string, isStepUp: boolean): string {
  return `/_service/console/#${isStepUp ? 'step-up' : 'sign-in'}=${loginToken}`;
}
