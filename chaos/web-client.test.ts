import { isDue, requireTool } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openOneProcess } from './one-process.ts';
import { missing, mongo, nats, openOnEngines } from './scene.ts';
import type { Site } from './site.ts';
import { type Person, startHydrogen } from './web-client/hydrogen.ts';

/** The story takes half a minute on an idle machine. */
const TIMEOUT_MS = 480_000;

/** How long a page may take to show something on a busy machine. */
const SHOWN = { timeout: 60_000 };

const GUARDS = ['chaos/web-client/', 'chaos/web-client.test.ts'];

const chromium = requireTool('chromium');

/** Two people talk with a web client; the server is killed between. */
async function talk(open: () => Promise<Site>): Promise<void> {
  const site = await open();
  onTestFinished(() => site.close());
  const [url = ''] = site.urls;
  const hydrogen = await startHydrogen(chromium.command ?? '');
  onTestFinished(() => hydrogen.close());
  const [alice, bob] = [await registerAccount(url, 'alice'), await registerAccount(url, 'bob')];
  const [a, b] = [await hydrogen.signIn(url, alice), await hydrogen.signIn(url, bob)];
  const reads = (person: Person, text: string) => expect.poll(person.messages, SHOWN).toContain(text);

  await a.createRoom('Talk');
  await a.invite(bob.userId);
  await b.accept('Talk');
  await a.send('hello from Alice');
  await reads(b, 'hello from Alice');
  await b.send('hello from Bob');
  await reads(a, 'hello from Bob');

  await b.openSettings();
  await a.send('one');
  await a.send('two');
  await expect.poll(() => b.unread('Talk'), SHOWN).toBe('2');
  await b.open('Talk');
  await reads(b, 'two');
  await expect.poll(() => b.unread('Talk'), SHOWN).toBe('');

  for (const victim of site.victims) {
    await victim.kill();
    await victim.start();
  }
  await a.send('after the kill');
  await expect
    .poll(async () => {
      // As people do who do not want to wait until the client tries again.
      await Promise.all([a.retry(), b.retry()]);
      return b.messages();
    }, SHOWN)
    .toContain('after the kill');
}

describe.skipIf(chromium.command === undefined)(
  `two people talk in an encrypted room with Hydrogen, and see what is unread (${chromium.title})`,
  () => {
    it('on one process, which is killed', { timeout: TIMEOUT_MS }, () => talk(openOneProcess));

    it.skipIf(missing || !isDue('a web client on several processes', GUARDS))(
      `on several, each of which is killed: ${mongo.title}, ${nats.title}`,
      { timeout: TIMEOUT_MS },
      () => talk(() => openOnEngines({ engines: false })),
    );
  },
);
