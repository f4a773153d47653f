/** The path at which a sign-in with a provider starts. */
export function startPath(provider: string, redirectUrl: string): string {
  return `/_proto/client/v3/login/sso/redirect/${provider}?${new URLSearchParams({ redirectUrl })}`;
}

/** The path of the page that asks the user of an app to sign in again for an operation; with `confirmed`, of the sign-in itself. */
export function interactivePath(parameters: {
  readonly session: string;
  readonly idp?: string;
  readonly confirmed?: string;
}): string {
  return `/_proto/client/v3/auth/m.login.sso/fallback/web?${new URLSearchParams(parameters)}`;
}
