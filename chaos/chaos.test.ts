import { randomInt } from 'node:crypto';
import { isDue } from '@steward/testing';
import { findNatsServer } from '@steward/topology/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openOneProcess } from './one-process.ts';
import { run } from './run.ts';
import { missing, mongo, nats, openOnEngines } from './scene.ts';
import type { Site } from './site.ts';

/** What accepts, does and restarts. */
const GUARDS = ['chaos/', 'packages/service/', 'packages/store/', 'packages/events/', 'packages/tasks/'];

/** What only whole servers that share engines have. */
const WHOLE_GUARDS = ['chaos/several-processes.ts', 'services/all-in-one/src/service.ts'];

const KILLS = isDue('kills', GUARDS) ? 7 : 2;

/** Determines the requests, the victims and the times of the kills. */
const SEED = process.env.STEWARD_CHAOS_SEED ?? String(randomInt(1_000_000));

/** A run takes a minute on an idle machine. */
const TIMEOUT_MS = 480_000;

async function survive(open: () => Promise<Site>): Promise<void> {
  console.log(`STEWARD_CHAOS_SEED=${SEED}`);
  const site = await open();
  onTestFinished(() => site.close());
  const { faults, killed, accepted, checks } = await run({ site, kills: KILLS, seed: SEED });
  console.log({ killed, accepted, checks });
  expect(faults).toEqual([]);
}

describe(`what was answered and ordered survives ${KILLS} kills`, () => {
  it('of the one process', { timeout: TIMEOUT_MS }, () => survive(openOneProcess));

  it.skipIf(missing)(
    `of several, and their engines: ${mongo.title}, ${nats.title}`,
    { timeout: TIMEOUT_MS },
    () => survive(() => openOnEngines({ natsServer: findNatsServer(process.env), engines: true })),
  );

  it.skipIf(missing || !isDue('kills of whole servers', WHOLE_GUARDS))(
    `of whole servers: ${mongo.title}, ${nats.title}`,
    { timeout: TIMEOUT_MS },
    () => survive(() => openOnEngines({ engines: false, whole: 2 })),
  );
});
