import type { Config } from '@steward/config';
import type { Clock } from '@steward/kernel';
import { RELEASE } from '@steward/runtime';
import { createSender, parseAddressRules } from '@steward/webhooks';
import { readSecretFile } from '../components/read-secret-file.ts';
import { createIdentityProvider, type IdentityProvider } from './identity-provider.ts';

/** The configured identity providers. */
export interface IdentityProviders {
  /** In the order of the settings. */
  readonly all: readonly IdentityProvider[];
  get(id: string): IdentityProvider | undefined;
  /** Ends all requests. */
  close(): Promise<void>;
}

/**
 * Creates the providers of `oidc.providers`. No request is made before the first sign-in, so that the server starts while a provider
 * is away.
 *
 * @throws StartupError for a secret that cannot be read
 */
export function createIdentityProviders(
  { oidc, server }: Pick<Config, 'oidc' | 'server'>,
  clock: Clock,
): IdentityProviders {
  const sender = createSender({
    rules: parseAddressRules(oidc.allowed_addresses),
    timeoutMs: oidc.timeout_ms,
    release: RELEASE,
    clock,
  });
  const all = oidc.providers.map((settings) =>
    createIdentityProvider({
      settings,
      secret:
        settings.client_secret_file === undefined
          ? undefined
          : readSecretFile(`oidc.providers (${settings.id})`, settings.client_secret_file),
      callbackUrls: callbackUrls(server.public_baseurl ?? '', settings.id),
      sender,
      timeoutMs: oidc.timeout_ms,
      clock,
    }),
  );
  const byId = new Map(all.map((provider) => [provider.settings.id, provider]));
  return { all, get: (id) => byId.get(id), close: () => sender.close() };
}

/** The addresses to which a provider sends browsers back: own ones for each, so that the answer of another one is not taken for its own. */
function callbackUrls(publicBaseUrl: string, id: string) {
  const base = publicBaseUrl.replace(/\/+$/, '');
  return {
    app: `${base}/_proto/client/v3/login/sso/callback/${id}`,
    console: `${base}/_service/admin/v1/session/oidc/${id}/callback`,
  };
}
