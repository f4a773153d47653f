/** The path at which a sign-in with a provider starts. */
export function startPath(provider: string, redirectUrl: string): string {
  return `/_proto/client/v3/login/sso/redirect/${provider}?${new URLSearchParams({ redirectUrl })}`;
}
