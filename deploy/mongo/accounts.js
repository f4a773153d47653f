// Makes the roles and users of the services in a database, or renews them: the passwords are those of the files at the
// moment. Run by mongosh as a user who may manage users: by the health check of docker-compose.yml, or by hand for another
// server, with STEWARD_ROLES and STEWARD_SECRETS in the environment:
//   mongosh "mongodb://root@db.example/?tls=true" --file deploy/mongo/accounts.js

const files = require('node:fs');

const { STEWARD_DATABASE = 'steward', STEWARD_ROLES, STEWARD_SECRETS } = process.env;
const database = db.getSiblingDB(STEWARD_DATABASE);
const roles = JSON.parse(files.readFileSync(STEWARD_ROLES ?? 'deploy/mongo/roles.json', 'utf8'));

for (const [role, collections] of Object.entries(roles)) {
  const privileges = Object.entries(collections).map(([collection, actions]) => ({
    resource: { db: STEWARD_DATABASE, collection },
    actions,
  }));
  if (database.getRole(role)) database.updateRole(role, { privileges, roles: [] });
  else database.createRole({ role, privileges, roles: [] });
  renewUser(role, role);
}
// For backup, restore, export and move.
renewUser('steward-operator', 'readWrite');

function renewUser(user, role) {
  const account = user.replace('steward-', '');
  const file = `${STEWARD_SECRETS ?? 'secrets'}/mongo_${account}_password`;
  const settings = { pwd: files.readFileSync(file, 'utf8').trim(), roles: [{ role, db: STEWARD_DATABASE }] };
  if (database.getUser(user)) database.updateUser(user, settings);
  else database.createUser({ user, ...settings });
}
