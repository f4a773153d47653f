import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { systemRandom } from '@steward/kernel';
import { openSqliteStore } from '@steward/store';
import {
  type Account,
  accounts,
  createPasswords,
  type Device,
  devices,
  newAccount,
  newToken,
  type Token,
  tokenDigest,
  tokens,
  withDerived,
} from '@steward/user/testing';

/**
 * The baseline of the benches: the store operations of each request behind a bare HTTP handler, without
 * the rest of the service.
 */
const { STEWARD_DATA = '', STEWARD_PORT, STEWARD_REGISTRATION_SHARED_SECRET = '' } = process.env;

const store = await openSqliteStore({ path: join(STEWARD_DATA, 'steward.db') });
const accountsOf = await store.collection<Account>(accounts);
const devicesOf = await store.collection<Device>(devices);
const tokensOf = await store.collection<Token>(tokens);
const passwords = await createPasswords();

const PAGE = 100;
const ORDINARY = '00000';

async function authenticate(request: IncomingMessage): Promise<void> {
  const token = await tokensOf.findOne({ _id: tokenDigest((request.headers.authorization ?? '').slice(7)) });
  const account = token && (await accountsOf.findOne({ _id: token.user_id }));
  if (!account?.admin) throw new Error('not an administrator');
}

async function body(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function answer(request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://floor');
  if (url.pathname === '/health') return {};
  if (url.pathname.endsWith('/register')) {
    if (request.method === 'GET') return { nonce: randomBytes(64).toString('hex') };
    const { nonce, username = '', password = '' } = await body(request);
    createHmac('sha1', STEWARD_REGISTRATION_SHARED_SECRET).update(`${nonce}`).digest('hex');
    const account = newAccount({
      localpart: username,
      serverName: 'localhost',
      now: Date.now(),
      displayname: username,
      password_hash: await passwords.hash(password, 'bench'),
      admin: true,
    });
    await accountsOf.insertOne(account);
    const token = newToken(systemRandom);
    await devicesOf.insertOne({
      _id: `${account._id} D`,
      user_id: account._id,
      device_id: 'D',
      display_name: null,
      last_seen_ip: null,
      last_seen_user_agent: null,
      last_seen_ts: null,
      epoch: 0,
    });
    await tokensOf.insertOne({
      _id: tokenDigest(token),
      user_id: account._id,
      owner: account._id,
      device_id: 'D',
      epoch: 0,
      created_ts: Date.now(),
      valid_until_ms: null,
    });
    return { access_token: token };
  }
  await authenticate(request);
  const id = decodeURIComponent(url.pathname.split('/')[5] ?? '');
  if (request.method === 'PUT') {
    const { displayname = '' } = await body(request);
    const account = await accountsOf.findOne({ _id: id });
    if (!account) throw new Error('unknown');
    const { folded_displayname } = withDerived({ ...account, displayname });
    return accountsOf.findOneAndUpdate(
      { _id: id, version: account.version },
      { $set: { displayname, folded_displayname }, $inc: { version: 1 } },
      { returnDocument: 'after' },
    );
  }
  if (id) return accountsOf.findOne({ _id: id });
  const totals = await accountsOf.tally();
  const facets = [...totals.keys()].filter((facet) => facet.startsWith('00'));
  const users = await accountsOf
    .find({ facet: { $in: facets } }, { sort: { _id: 1 }, limit: PAGE })
    .toArray();
  return { users, total: totals.get(ORDINARY) };
}

createServer((request, response) => {
  answer(request).then(
    (json) => response.setHeader('content-type', 'application/json').end(JSON.stringify(json)),
    (error) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(STEWARD_PORT), '127.0.0.1');

process.on('SIGTERM', () => store.close().then(() => process.exit(0)));
