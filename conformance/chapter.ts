import { type SetupOptions, World } from '@steward/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { oneProcess } from './one-process.ts';
import { type OfferedSetup, pairs, setups } from './setups.ts';

type Cases = (world: World, setup: OfferedSetup) => void;

/**
 * The cases of one chapter of the specification, on every set-up. They share one world, so each case
 * makes the accounts that it changes. Where starting a server is dear, all chapters without a configuration of
 * their own share one: there are accounts, rooms and media of others.
 */
export function chapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  for (const setup of setups) runChapter(title, cases, options, setup);
}

/**
 * As `chapter`, on servers of its own: for cases that restart them, or that what others have done would be in the
 * way of.
 */
export function ownChapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  for (const setup of setups) runAlone(title, cases, options, setup);
}

/** As `chapter`, and also where each service has two processes: for what they might see differently. */
export function pairedChapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  for (const setup of [...setups, pairs]) runChapter(title, cases, options, setup);
}

/** As `pairedChapter`, on servers of its own. */
export function ownPairedChapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  for (const setup of [...setups, pairs]) runAlone(title, cases, options, setup);
}

/** As `chapter`, where the server is several processes: for what one process does not have. */
export function processesChapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  for (const setup of setups) if (setup.setup !== oneProcess) runChapter(title, cases, options, setup);
}

/** The worlds that the chapters of this worker share, by set-up. */
const sharedWorlds = new Map<OfferedSetup, World>();

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs.
const sharing = test.extend('startShared', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const starting = new Map<World, Promise<void>>();
  onCleanup(async () => {
    for (const world of starting.keys()) await world.close();
  });
  return (world: World) => {
    const started = starting.get(world) ?? world.start();
    starting.set(world, started);
    return started;
  };
});

function runChapter(title: string, cases: Cases, options: SetupOptions, offered: OfferedSetup): void {
  const isShared = offered.dear && options.config === undefined;
  if (isShared) runTogether(title, cases, offered);
  else runAlone(title, cases, options, offered);
}

function runTogether(title: string, cases: Cases, offered: OfferedSetup): void {
  describe.skipIf(offered.missing)(`${title}: ${offered.title}`, () => {
    const world = sharedWorlds.get(offered) ?? new World(offered.setup);
    sharedWorlds.set(offered, world);
    sharing.beforeAll(async ({ startShared }) => {
      await startShared(world);
      // What the chapter before has left to be done is not to happen amid this one.
      await world.settle();
    });
    cases(world, offered);
  });
}

function runAlone(title: string, cases: Cases, options: SetupOptions, offered: OfferedSetup): void {
  describe.skipIf(offered.missing)(`${title}: ${offered.title}`, () => {
    const world = new World(offered.setup, options);
    beforeAll(() => world.start());
    afterAll(() => world.close());
    cases(world, offered);
  });
}
