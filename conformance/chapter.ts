import { type SetupOptions, World } from '@steward/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { isDueHere } from './is-due-here.ts';
import { type OfferedSetup, offered, offeredPair } from './setups.ts';
import { openServer, strictServer } from './shared-settings.ts';

type Cases = (world: World, setup: OfferedSetup) => void;

/** A chapter runs on a set-up of several processes for one commit in so many, and when what it guards has changed. */
const TURNS = 8;

/**
 * The cases of one chapter of the specification, on the set-up of the project. They share one world, so each case
 * creates the accounts that it changes. Where starting a server is expensive, the chapters that a worker runs one after the
 * other share a server, which then also holds accounts, rooms and media of other chapters: those without their own
 * configuration, and those with the same of the `shared-settings.ts`.
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

/** As `chapter`, in one process only: for behaviour that depends on the configuration and the request only. */
export function oneProcessChapter(title: string, cases: Cases, options: SetupOptions = {}): void {
  inOneProcess(() => runChapter(title, cases, options, offered));
}

/**
 * Cases of a chapter that depend on the configuration and the request only, such as tables of refusals: one set-up proves them.
 */
export function inOneProcess(cases: () => void): void {
  if (offered.isOneProcess) cases();
}

/** The configurations of servers that chapters share. */
const SHARED: ReadonlySet<SetupOptions['config']> = new Set([undefined, openServer, strictServer]);

/** The worlds that the chapters of this worker share, by set-up and configuration. */
const sharedWorlds = new Map<OfferedSetup, Map<SetupOptions['config'], World>>();

/**
 * Starts a shared world unless it runs, and closes the one that ran before: idle processes still poll, which takes the
 * processor and the engines from the tests. `vitest.config.ts` orders the files so that few worlds start again.
 */
// biome-ignore lint/correctness/noEmptyPattern: Vitest derives the fixtures to provide from the pattern.
const sharing = test.extend('startShared', { scope: 'worker' }, async ({}, { onCleanup }) => {
  let current: { readonly world: World; readonly started: Promise<void> } | undefined;
  onCleanup(() => current?.world.close());
  return async (world: World) => {
    if (current?.world !== world) {
      await current?.world.close();
      current = { world, started: world.start() };
    }
    await current.started;
  };
});

function runChapter(title: string, cases: Cases, options: SetupOptions, setup: OfferedSetup): void {
  const isShared = setup.expensive && SHARED.has(options.config);
  if (isShared) runTogether(title, cases, options, setup);
  else runAlone(title, cases, options, setup);
}

function runTogether(title: string, cases: Cases, options: SetupOptions, setup: OfferedSetup): void {
  describe.skipIf(isSkipped(title, setup))(`${title}: ${setup.title}`, () => {
    const worlds = sharedWorlds.get(setup) ?? new Map<SetupOptions['config'], World>();
    sharedWorlds.set(setup, worlds);
    const world = worlds.get(options.config) ?? new World(setup.setup, options);
    worlds.set(options.config, world);
    sharing.beforeAll(async ({ startShared }) => {
      await startShared(world);
      // Effects of the previous chapter must not occur during this one.
      await world.whenIdle();
    });
    cases(world, setup);
  });
}

function runAlone(title: string, cases: Cases, options: SetupOptions, setup: OfferedSetup): void {
  describe.skipIf(isSkipped(title, setup))(`${title}: ${setup.title}`, () => {
    const world = new World(setup.setup, options);
    beforeAll(() => world.start());
    afterAll(() => world.close());
    cases(world, setup);
  });
}

function isSkipped(title: string, { setup, missing, guards, isOneProcess }: OfferedSetup): boolean {
  return missing || !(isOneProcess || isDueHere(`${title} on ${setup.name}`, guards, TURNS));
}
