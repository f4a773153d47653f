import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics } from '@steward/telemetry';
import { afterAll } from 'vitest';
import { storeContract } from '../contract/store-contract.ts';
import { openSqliteStore, openWithLimits } from './open.ts';

const directory = mkdtempSync(join(tmpdir(), 'steward-store-'));
afterAll(() => rmSync(directory, { recursive: true }));

storeContract(
  'SQLite in memory, measured',
  async () => ({
    store: await openSqliteStore({
      path: ':memory:',
      meters: createMetrics({ program: 'test', release: '1.0.0' }),
    }),
  }),
  { sequences: 250 },
);

const tight = {
  smallCollection: 0,
  candidates: 2,
  entries: 4,
  results: 3,
  skipFromStart: 0,
  positionGap: 2,
  ahead: 1,
  counted: 0,
  values: 4,
  tested: 3,
};

storeContract(
  'SQLite in memory, as if a few documents were many',
  async () => ({ store: await openWithLimits(':memory:', tight) }),
  { sequences: 250 },
);

storeContract(
  'SQLite in a file, as if a few documents were many',
  async () => {
    const path = join(directory, 'tight.db');
    return { store: await openWithLimits(path, tight), reopen: () => openWithLimits(path, tight) };
  },
  { sequences: 20 },
);

storeContract(
  'SQLite in a file',
  async () => {
    const path = join(directory, 'contract.db');
    return { store: await openSqliteStore({ path }), reopen: () => openSqliteStore({ path }) };
  },
  { sequences: 20 },
);
