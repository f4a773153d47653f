import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CHROMIUM_ARGS } from '@steward/testing';
import { type ServedPage, servePage } from '@steward/testing/serve-page';
import type { Account } from '@steward/topology/testing';
import { chromium, type Locator } from 'playwright-core';

/** A person at a web client, who does what its pages offer. */
export interface Person {
  /** Creates a room in which everything is encrypted, and opens it. */
  createRoom(name: string): Promise<void>;
  /** Opens a room of the list. */
  open(name: string): Promise<void>;
  /** Opens the settings, so that no room is open. */
  openSettings(): Promise<void>;
  /** Invites a user to the open room. */
  invite(userId: string): Promise<void>;
  /** Accepts the invitation to a room. */
  accept(name: string): Promise<void>;
  send(text: string): Promise<void>;
  /** The readable messages of the open room. */
  messages(): Promise<readonly string[]>;
  /** The number that the list shows for a room; empty for none. */
  unread(name: string): Promise<string>;
  /** Lets a client that waits for the server try again at once. */
  retry(): Promise<void>;
}

/** Browsers with Hydrogen, a web client whose parts npm offers; it shows no one who is typing. */
export interface Hydrogen {
  /** Signs a user in, in a browser profile of their own. */
  signIn(url: string, account: Account): Promise<Person>;
  close(): Promise<void>;
}

/** How long the button of a client that has lost the server may take to be there, in milliseconds. */
const CLICK = { timeout: 1_000 };

/** Serves Hydrogen, and starts Chromium. @param command its program */
export async function startHydrogen(command: string): Promise<Hydrogen> {
  const site = await serveHydrogen();
  const browser = await chromium.launch({ executablePath: command, args: CHROMIUM_ARGS });
  return {
    async signIn(url, { userId, password }) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const list = page.locator('.RoomList');
      const composer = page.locator('.MessageComposer textarea');
      const tileOf = (name: string): Locator => list.getByRole('listitem').filter({ hasText: name });
      const open = (name: string) => tileOf(name).getByRole('link').click();
      const send = async (text: string) => {
        await composer.fill(text);
        await composer.press('Enter');
        // What is written before is lost.
        await page.locator('.MessageComposer:not(.MessageComposer_canSend)').waitFor();
      };
      await page.goto(site.url);
      await page.getByLabel('Homeserver').fill(url);
      await page.getByLabel('Homeserver').blur();
      await page.getByLabel('Username').fill(userId);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Log In' }).click();
      await list.waitFor();
      return {
        async createRoom(name) {
          await page.getByRole('button', { name: 'Create room', exact: true }).click();
          await page.getByRole('button', { name: 'Create Room', exact: true }).click();
          await page.getByLabel('Room name').fill(name);
          await page.getByRole('main').getByRole('button', { name: 'Create room' }).click();
          await open(name);
          await page.getByPlaceholder('Send an encrypted message…').waitFor();
        },
        open,
        openSettings: () => page.getByRole('link', { name: 'Settings' }).click(),
        invite: (invited) => send(`/invite ${invited}`),
        async accept(name) {
          await open(name);
          await page.getByRole('button', { name: 'Accept' }).click();
          await composer.waitFor();
        },
        send,
        messages: () =>
          page
            .locator('.Timeline_messageBody')
            // Without placeholders and the time.
            .evaluateAll((bodies) =>
              bodies.map(({ childNodes }) =>
                [...childNodes]
                  .flatMap(({ nodeName, nodeValue }) => (nodeName === '#text' ? nodeValue : []))
                  .join(''),
              ),
            ),
        async unread(name) {
          return (await tileOf(name).locator('.badge:not(.hidden)').allTextContents()).join();
        },
        async retry() {
          const button = page.getByRole('button', { name: 'Retry now' });
          // It vanishes when the client is back.
          if (await button.isVisible()) await button.dispatchEvent('click', {}, CLICK).catch(() => {});
        },
      };
    },
    async close() {
      await browser.close();
      site.close();
    },
  };
}

async function serveHydrogen(): Promise<ServedPage> {
  const { resolve } = createRequire(import.meta.url);
  const library = resolve('hydrogen-view-sdk');
  const encryption = dirname(createRequire(library).resolve('@matrix-org/olm'));
  const script = async (file: string) => ['text/javascript', await readFile(file)] as const;
  return servePage({
    program: join(import.meta.dirname, 'page.ts'),
    files: {
      '/sw.js': await script(join(dirname(library), 'sw.js')),
      '/olm.js': await script(join(encryption, 'olm.js')),
      '/olm.wasm': ['application/wasm', await readFile(join(encryption, 'olm.wasm'))],
      '/style.css': ['text/css', await readFile(resolve('hydrogen-view-sdk/style.css'))],
    },
    body: '<link rel="stylesheet" href="/style.css"><body id="app" class="hydrogen"></body>',
    // The page loads it as a script.
    without: '@matrix-org/olm/olm.js',
  });
}
