import { parseArgs } from 'node:util';
import { loadConfig, usesEmbeddedStore } from '@steward/config';
import { databaseAccess } from '@steward/runtime';
import { openCluster, type ShardOutcome, shardCollections } from '@steward/store';
import { reportErrors } from '../command/report-errors.ts';
import { sayResult } from '../command/say.ts';
import { shardedCollections } from './sharded-collections.ts';

const USAGE = `Distributes the collections over the shards of the MongoDB cluster of the settings.

  steward shard [--dry-run]

  --dry-run  print what would be done

STEWARD_STORE names the routers (mongos) of the cluster. The server may be running. The command can be repeated: what is
distributed already is left as it is.
`;

const WORDS: Readonly<Record<ShardOutcome, string>> = {
  was: 'is distributed already, by',
  is: 'is distributed from now on, by',
  'would be': 'would be distributed, by',
  differs: 'is distributed by another key, and left as it is. Declared is',
};

reportErrors('shard', async () => {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const config = loadConfig({ env: process.env });
  if (usesEmbeddedStore(config)) throw new Error('STEWARD_STORE must be the mongodb:// URL of a cluster.');
  const cluster = await openCluster(databaseAccess(config));
  try {
    const options = { isDryRun: values['dry-run'] ?? false };
    for await (const { collection, path, outcome } of shardCollections(
      cluster,
      shardedCollections,
      options,
    )) {
      sayResult(`${collection} ${WORDS[outcome]} the hash of ${path}`);
      if (outcome === 'differs') process.exitCode = 1;
    }
  } finally {
    await cluster.close();
  }
});
