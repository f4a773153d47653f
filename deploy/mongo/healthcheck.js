// The health check of MongoDB in docker-compose.yml, run by mongosh: succeeds when the database takes writes and has the
// accounts of the services. At the first start it makes the replica set, of this one member, and the user root, as a client on
// the same machine may as long as there is no user; at each start it renews the accounts.

const { existsSync, readFileSync, writeFileSync } = require('node:fs');

/** Exists since this container has renewed the accounts. */
const RENEWED = '/tmp/accounts-renewed';

/** The code of the server when the replica set exists. */
const ALREADY_INITIALIZED = 23;

const admin = db.getSiblingDB('admin');

if (!existsSync(RENEWED)) {
  const password = readFileSync(`${process.env.STEWARD_SECRETS}/mongo_root_password`, 'utf8').trim();
  if (!canLogIn(password)) {
    initiate();
    if (!db.hello().isWritablePrimary) quit(1);
    admin.createUser({ user: 'root', pwd: password, roles: ['root'] });
    admin.auth('root', password);
  }
  if (!db.hello().isWritablePrimary) quit(1);
  load('/etc/steward/accounts.js');
  writeFileSync(RENEWED, '');
}
if (!db.hello().isWritablePrimary) quit(1);

function canLogIn(password) {
  try {
    return admin.auth('root', password).ok === 1;
  } catch {
    return false;
  }
}

function initiate() {
  try {
    rs.initiate({ _id: 'steward', members: [{ _id: 0, host: 'mongo:27017' }] });
  } catch (error) {
    if (error.code !== ALREADY_INITIALIZED) throw error;
  }
}
