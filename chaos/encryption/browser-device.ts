import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { CHROMIUM_ARGS } from '@steward/testing';
import { type Browser, chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import type { Device, Login } from './device.ts';
import { type LibraryDevice, logIn } from './library-device.ts';

/** A device in a page, which can be loaded again. */
export interface BrowserDevice extends Device, Pick<LibraryDevice, 'readAll'> {
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
  const site = await servePage();
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
  const call = <Method extends 'join' | 'send' | 'received' | 'recipients' | 'readAll'>(
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
    async reload() {
      await page.reload();
      await start();
    },
    close: () => context.close(),
  };
}

/** Serves a page with the library on an address that the browser trusts, so that it may encrypt. */
async function servePage() {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'page.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  const fromLibrary = createRequire(createRequire(import.meta.url).resolve('matrix-js-sdk'));
  const encryption = dirname(fromLibrary.resolve('@matrix-org/matrix-sdk-crypto-wasm'));
  const wasm = await readFile(join(encryption, 'pkg/matrix_sdk_crypto_wasm_bg.wasm'));
  const html = '<!doctype html><script type="module" src="/page.js"></script>';
  const files: Readonly<Record<string, readonly [type: string, content: string | Buffer]>> = {
    '/': ['text/html', html],
    '/page.js': ['text/javascript', output[0].code],
    '/pkg/matrix_sdk_crypto_wasm_bg.wasm': ['application/wasm', wasm],
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, content] = files[url] ?? ['text/plain', ''];
    response.setHeader('content-type', type);
    response.end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
