import { type SetupOptions, World } from '@steward/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type OfferedSetup, offered, offeredPair } from './setups.ts';

type Cases = (world: World, setup: OfferedSetup) => void;

/**
 * The cases of one chapter of the specification, on the set-up of the project. They share one world, so each case
 * creates the accounts that it changes. Where starting a server is expensive, all chapters of a worker without their
 * own configuration share one server, which also holds accounts, rooms and media of other chapters.
 */
export function chapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  runChapter(title, cases, options, offered);
}

/**
 * As `chapter`, on separate servers: for cases that restart them, or whose results depend on everything that is
 * stored.
 */
export function ownChapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  runAlone(title, cases, options, offered);
}

/** As `chapter`, with two processes of each service on several processes: for what two processes might see differently. */
export function pairedChapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  runChapter(title, cases, options, offeredPair);
}

/** As `pairedChapter`, on separate servers. */
export function ownPairedChapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  runAlone(title, cases, options, offeredPair);
}

/** As `chapter`, in one process only: for behaviour that depends on the configuration and the request only. */
export function oneProcessChapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  if (offered.isOneProcess) runChapter(title, cases, options, offered);
}

/** The worlds that the chapters of this worker share, by set-up. */
const sharedWorlds = new Map<OfferedSetup, World>();

// biome-ignore lint/correctness/noEmptyPattern: Vitest derives the fixtures to provide from the pattern.
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

function runChapter(title: string, cases: Cases, options: SetupOptions, setup: OfferedSetup): void {
  const isShared = setup.expensive && options.config === undefined;
  if (isShared) runTogether(title, cases, setup);
  else runAlone(title, cases, options, setup);
}

function runTogether(title: string, cases: Cases, setup: OfferedSetup): void {
  describe.skipIf(setup.missing)(`${title}: ${setup.title}`, () => {
    const world = sharedWorlds.get(setup) ?? new World(setup.setup);
    sharedWorlds.set(setup, world);
    sharing.beforeAll(async ({ startShared }) => {
      await startShared(world);
      // Effects of the previous chapter must not occur during this one.
      await world.whenIdle();
    });
    cases(world, setup);
  });
}

function runAlone(title: string, cases: Cases, options: SetupOptions, setup: OfferedSetup): void {
  describe.skipIf(setup.missing)(`${title}: ${setup.title}`, () => {
    const world = new World(setup.setup, options);
    beforeAll(() => world.start());
    afterAll(() => world.close());
    cases(world, setup);
  });
}
