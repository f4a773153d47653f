import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCOPES } from './matrix/role-scopes.ts';

/** A client of the services of a test. */
export interface TestClient {
  readonly name: string;
  readonly credential: string;
  readonly scopes: readonly string[];
}

const client = (name: string, scopes: readonly string[]): TestClient => ({
  name,
  credential: `the-credential-of-${name}`,
  scopes,
});

/** A client with all scopes, and for each scope one with it alone and one with all others. */
export const testClients = {
  all: client('all', SCOPES),
  only: (scope: string) => client(`only-${scope.replace(':', '.')}`, [scope]),
  allBut: (scope: string) =>
    client(
      `all-but-${scope.replace(':', '.')}`,
      SCOPES.filter((each) => each !== scope),
    ),
};

/** The settings of these clients, with the files of their credentials. */
export async function configureClients() {
  const folder = await mkdtemp(join(tmpdir(), 'steward-clients-'));
  const { all, only, allBut } = testClients;
  const clients = [all, ...SCOPES.flatMap((scope) => [only(scope), allBut(scope)])];
  const configured = clients.map(async ({ name, credential, scopes }) => {
    const file = join(folder, name);
    await writeFile(file, credential);
    return { name, credential_files: [file], scopes };
  });
  return {
    services: { clients: await Promise.all(configured) },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
