import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Provider } from 'oidc-provider';

/** A real identity provider on this machine, with the client `steward`. Its users are all names, with any password. */
export interface RunningProvider {
  readonly issuer: string;
  /** A file with the secret of the client. */
  readonly secretFile: string;
  /** How it answers all requests: as it should, with an error, or never. */
  works: 'well' | 'badly' | 'never';
  /** A token of a user, as the provider would give it to an app with these scopes. */
  issueToken(kind: 'AccessToken' | 'RefreshToken', name: string, scope: string): Promise<IssuedToken>;
  close(): Promise<void>;
}

/** A token that a provider has issued. */
export interface IssuedToken {
  readonly value: string;
  revoke(): Promise<void>;
}

/** The secret of the client `steward`. */
const CLIENT_SECRET = 'the secret of the client';

/**
 * Starts a provider, which names the user of the e-mail address `<name>@people.example`.
 *
 * @param redirectUris to where it may send browsers back
 * @param groupsOf the claim `groups` of a user
 */
export async function startIdentityProvider(
  redirectUris: readonly string[],
  groupsOf: (name: string) => readonly string[] = () => [],
): Promise<RunningProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'steward',
        client_secret: CLIENT_SECRET,
        redirect_uris: [...redirectUris],
        // Without it, this provider refuses addresses of this machine for pages.
        application_type: 'native',
      },
    ],
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name', 'groups'],
      email: ['email', 'email_verified'],
    },
    findAccount: (_, name) => ({
      accountId: name,
      claims: () => ({
        sub: name,
        preferred_username: name,
        name: `The user ${name}`,
        groups: [...groupsOf(name)],
        email: `${name}@people.example`,
        email_verified: true,
      }),
    }),
    features: { introspection: { enabled: true } },
    extraTokenClaims: (_, token) =>
      'accountId' in token ? { username: token.accountId, name: `The user ${token.accountId}` } : {},
    cookies: { keys: ['the key of cookies of the test'] },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (running.works === 'well') answer(request, response);
    else if (running.works === 'badly') response.writeHead(500).end();
  });
  const folder = mkdtempSync(join(tmpdir(), 'steward-provider-'));
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, `${CLIENT_SECRET}\n`);
  const running: RunningProvider = {
    issuer,
    secretFile,
    works: 'well',
    async issueToken(kind, name, scope) {
      const client = await provider.Client.find('steward');
      if (!client) throw new Error('The provider does not know its client');
      const grantId = await new provider.Grant({ accountId: name, clientId: client.clientId }).save();
      const token = new provider[kind]({
        ...{ accountId: name, client, scope, grantId },
        gty: 'authorization_code',
      });
      return { value: await token.save(), revoke: () => token.destroy() };
    },
    async close() {
      rmSync(folder, { recursive: true });
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return running;
}
