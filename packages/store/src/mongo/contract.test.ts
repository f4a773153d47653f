import { createMetrics } from '@steward/telemetry';
import { describe } from 'vitest';
import { storeContract } from '../contract/store-contract.ts';
import { openMongoStore } from './open.ts';
import { mongo, testDatabase } from './test-database.ts';

describe.skipIf(mongo.url === undefined)(mongo.title, () => {
  const { url, name } = testDatabase();
  const meters = createMetrics({ program: 'test', release: '1.0.0' });
  const open = () => openMongoStore({ url, database: name, meters });
  storeContract(mongo.title, async () => ({ store: await open(), reopen: open }), { sequences: 300 });
});
