import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createAuthority,
  type Program,
  requireTool,
  startFerretDb,
  type TestAuthority,
} from '@steward/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Unusable } from '../port/errors.ts';
import type { MongoServer } from './client/connect.ts';
import { openMongoSnapshot } from './mongo-snapshot.ts';
import { openMongoStore } from './open.ts';
import { mongo, testDatabase } from './test-database.ts';

const ferretdb = requireTool('ferretdb');
const missing = ferretdb.command === undefined || mongo.url === undefined;

describe.skipIf(missing)(`A store over TLS with logins, on ${ferretdb.title}`, () => {
  const { url, name } = testDatabase();
  const user = `${name.slice(-8).toLowerCase()}_user`;
  const admin = new MongoClient(url);
  let authority: TestAuthority;
  let server: Program;
  let access: Omit<MongoServer, 'url'>;

  beforeAll(async () => {
    authority = await createAuthority();
    server = await startFerretDb(ferretdb.command ?? '', await authority.issue(['localhost']));
    const roles = [
      { role: 'readWriteAnyDatabase', db: 'admin' },
      { role: 'clusterAdmin', db: 'admin' },
    ];
    await admin.db('admin').command({ createUser: user, pwd: 'p@ss/word', roles });
    const passwordFile = join(dirname(authority.file), 'password');
    writeFileSync(passwordFile, 'p@ss/word\n');
    access = { user, passwordFile, caFile: authority.file };
  });
  afterAll(async () => {
    await server.stop();
    await admin.db('admin').command({ dropUser: user });
    await admin.close();
  });

  const at = (more: Partial<MongoServer> = {}, host = 'localhost', at = server): MongoServer => ({
    url: `mongodb://${host}:${at.port}/${name}?authSource=admin&serverSelectionTimeoutMS=300`,
    ...access,
    ...more,
  });

  it('a secured store is opened with a user, the file of its password and that of the authority', async () => {
    const store = await openMongoStore(at());
    onTestFinished(() => store.close());
    expect(await store.someId('test.none')).toBeUndefined();
    const snapshot = await openMongoSnapshot(at());
    expect(await snapshot.current('test.none', 'a')).toBeUndefined();
    await snapshot.close();
  });

  it.each([
    [
      'another password',
      { passwordFile: '/dev/null' },
      'localhost',
      /refuses the credentials: Authentication failed$/,
    ],
    [
      'a file that is not a password',
      { passwordFile: import.meta.filename },
      'localhost',
      /cannot be used: Prohibited char/,
    ],
    ['an unknown authority', {}, 'localhost', /over TLS: unable to verify the first certificate$/],
    [
      'another host',
      {},
      '127.0.0.1',
      /over TLS: Hostname\/IP does not match certificate's altnames: [^\n]+$/,
    ],
    [
      'a URL that says otherwise',
      { url: 'mongodb://localhost/?tls=false' },
      'localhost',
      /tls\/ssl must be the same$/,
    ],
  ])(
    'a secured store is refused at once, in one line without secrets: %s',
    async (title, more, host, reason) => {
      const caFile = title === 'an unknown authority' ? (await createAuthority()).file : authority.file;
      const error = await openMongoStore(at({ caFile, ...more }, host)).catch((refusal: unknown) => refusal);
      expect(error).toBeInstanceOf(Unusable);
      expect((error as Error).message).toMatch(reason);
      expect((error as Error).message).not.toMatch(/p@ss|\n/);
    },
  );

  it('a secured store is refused at once: an expired certificate', async () => {
    const expired = await startFerretDb(ferretdb.command ?? '', await authority.issue(['localhost'], -1));
    onTestFinished(() => expired.stop());
    await expect(openMongoStore(at({}, 'localhost', expired))).rejects.toThrow(
      /over TLS: certificate has expired$/,
    );
  });
});
