import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CHROMIUM_ARGS } from '@steward/testing';
import { servePage } from '@steward/testing/serve-page';
import { type Browser, chromium } from 'playwright-core';
import type { Device, Login } from './device.ts';
import { type LibraryDevice, logIn } from './library-device.ts';

/** A device in a page, which can be loaded again. */
export interface BrowserDevice extends Device, Pick<LibraryDevice, 'readAll' | 'setTyping' | 'typing'> {
  /** Loads the page again: the device has nothing but what it stored in the browser. */
  reload(): Promise<void>;
}

/** A browser for devices whose client is the program of a page. */
export interface Browsers {
  /** Logs a device in, in a profile of its own. */
  open(login: Login): Promise<BrowserDevice>;
  close(): Promise<void>;
}

/** Starts Chromium. @param command its program */
export async function startBrowsers(command: string): Promise<Browsers> {
  const site = await serveLibrary();
  const browser = await chromium.launch({ executablePath: command, args: CHROMIUM_ARGS });
  return {
    open: (login) => browserDevice(browser, site.url, login),
    async close() {
      await browser.close();
      site.close();
    },
  };
}

async function browserDevice(browser: Browser, url: string, login: Login): Promise<BrowserDevice> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await logIn(login);
  await page.goto(url);
  const start = async () => {
    await page.waitForFunction('globalThis.libraryDevice');
    await page.evaluate(
      `libraryDevice(${JSON.stringify(session)}).then((started) => { globalThis.device = started; })`,
    );
  };
  const call = <
    Method extends 'join' | 'send' | 'received' | 'recipients' | 'readAll' | 'setTyping' | 'typing',
  >(
    method: Method,
    ...args: Parameters<LibraryDevice[Method]>
  ) => page.evaluate(`device.${method}(...${JSON.stringify(args)})`) as ReturnType<LibraryDevice[Method]>;
  await start();
  return {
    id: login.deviceId,
    join: (roomId) => call('join', roomId),
    send: (roomId, text) => call('send', roomId, text),
    received: (roomId) => call('received', roomId),
    recipients: (roomId) => call('recipients', roomId),
    readAll: (roomId) => call('readAll', roomId),
    setTyping: (roomId, isTyping) => call('setTyping', roomId, isTyping),
    typing: (roomId) => call('typing', roomId),
    async reload() {
      await page.reload();
      await start();
    },
    close: () => context.close(),
  };
}

/** Serves a page with the library. */
async function serveLibrary() {
  const fromLibrary = createRequire(createRequire(import.meta.url).resolve('matrix-js-sdk'));
  const encryption = dirname(fromLibrary.resolve('@matrix-org/matrix-sdk-crypto-wasm'));
  const wasm = 'pkg/matrix_sdk_crypto_wasm_bg.wasm';
  return servePage({
    program: join(import.meta.dirname, 'page.ts'),
    files: { [`/${wasm}`]: ['application/wasm', await readFile(join(encryption, wasm))] },
  });
}
