import { z } from 'zod';
import { settings } from '../setting.ts';
import { providerUrl } from './provider-url.ts';

/** A request of a client waits for the answer. */
const TIMEOUT_MS = 5_000;
const MAX_TIMEOUT_MS = 20_000;

const CACHE_MS = 30_000;
const MAX_CACHE_MS = 5 * 60_000;

/** Authentication by another service (MSC3861). */
export const delegatedAuthentication = z.strictObject({
  enabled: z.boolean().default(false).register(settings, {
    governs:
      'Whether an external service manages accounts. If so, the paths for passwords and logins are not served',
    env: 'STEWARD_MSC3861',
  }),
  issuer: providerUrl.optional().register(settings, {
    governs:
      'The issuer of the access tokens: the server asks it about each token (RFC 7662), and no other access token counts. See [identity-providers.md](identity-providers.md#delegated-authentication). Without it, access tokens are those of this server',
  }),
  introspection_endpoint: providerUrl.optional().register(settings, {
    governs: 'Where the issuer is asked about tokens, in place of what its description says',
  }),
  client_id: z.string().min(1).max(512).optional().register(settings, {
    governs: 'The client at the issuer, as which the server asks',
  }),
  client_secret_file: z.string().min(1).optional().register(settings, {
    governs: 'A file with the secret of the client. White space at its end is ignored',
  }),
  client_auth: z
    .enum(['basic', 'post'])
    .default('basic')
    .register(settings, { governs: 'How the secret is sent' }),
  admin_scope: z.string().min(1).max(255).default('urn:synapse:admin:*').register(settings, {
    governs: 'The scope of the tokens of administrators',
  }),
  auth_provider: z.string().min(1).max(255).default('oauth-delegated').register(settings, {
    governs: 'The `auth_provider` of the external ids by which accounts are linked with users of the issuer',
  }),
  localpart_claim: z.string().min(1).max(128).default('username').register(settings, {
    governs: 'The field of an answer that names the account of a user who is not linked yet',
  }),
  cache_ms: z.int().min(0).max(MAX_CACHE_MS).default(CACHE_MS).register(settings, {
    governs:
      'How long an answer about a token is used, in milliseconds: for so long a token counts that was revoked. That a token is not valid is remembered for ten seconds at most',
  }),
  timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(TIMEOUT_MS).register(settings, {
    governs:
      'The longest time of a request to the issuer, in milliseconds; then the answer to the client is 503',
  }),
});
