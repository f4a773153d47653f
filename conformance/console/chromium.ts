import { type Actor, CHROMIUM_ARGS, requireTool, type World } from '@steward/testing';
import {
  type Browser,
  type BrowserContext,
  chromium as browsers,
  type Page,
  type Request,
} from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { isDueHere } from '../is-due-here.ts';

const tool = requireTool('chromium');

const SESSION = '/_service/admin/v1/session';
const API = '/_service/admin/';
const EVENTS = `${API}v1/events`;
/** The path of the console. */
export const CONSOLE = '/_service/console';
/** As `console/src/session/session.ts` has it. */
const SIGNED_IN = 'steward.signed-in';
const FIRST_ERROR = 400;

/** How a page of the console is opened. */
export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly locale?: string;
  /** Where the browser finds the server; at its own address when unset. */
  readonly origin?: string;
}

/** A session of a user in a browser: a profile of the browser, whose pages share the session. */
export interface BrowserSession {
  readonly context: BrowserContext;
  /** Opens a page of the console by its path, such as `/users`. */
  readonly open: (path: string) => Promise<Page>;
  /** What went wrong in its pages: errors of scripts and of the content security policy, and refused requests. */
  readonly problems: string[];
  /** The requests for the API that are not answered yet, without streams of events. */
  readonly inFlight: () => readonly string[];
  /** Checks that nothing went wrong, or that what did is what a test caused. */
  readonly expectNoProblems: () => void;
}

/** Chromium for the cases of a chapter. */
export interface Chromium {
  /** Opens a browser session: signed in with their password, or without a session. */
  readonly browserSession: (user: Actor | undefined, look?: Look) => Promise<BrowserSession>;
}

/** What all pages of the console are made of. */
const SHARED = [
  'conformance/console/',
  ...['api', 'app', 'client', 'live', 'session', 'ui'].map((folder) => `console/src/${folder}/`),
];

/**
 * Runs cases in Chromium; skips them where there is none. They run for one commit in four, and when the console has changed:
 * what all pages share, or what the cases guard.
 *
 * @param guards the paths in `console/src/` of what they are about
 */
export function withChromium(
  world: World,
  guards: readonly string[],
  cases: (chromium: Chromium) => void,
): void {
  const due = isDueHere('console', [...SHARED, ...guards.map((path) => `console/src/${path}/`)]);
  describe.skipIf(tool.command === undefined || !due)(tool.title, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await browsers.launch({ executablePath: tool.command ?? '', args: CHROMIUM_ARGS });
    });
    afterAll(() => browser?.close());
    cases({
      browserSession: (user, look) => {
        if (browser === undefined) throw new Error('Chromium is not running');
        return sessionIn(browser, look?.origin ?? new URL(world.running.url).origin, user, look);
      },
    });
  });
}

async function sessionIn(
  browser: Browser,
  origin: string,
  user: Actor | undefined,
  { width = 1280, height = 800, scheme = 'light', locale = 'en-GB' }: Look = {},
): Promise<BrowserSession> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width, height },
    colorScheme: scheme,
    locale,
    reducedMotion: 'reduce',
    storageState: {
      cookies: [],
      origins: user === undefined ? [] : [{ origin, localStorage: [{ name: SIGNED_IN, value: '' }] }],
    },
  });
  const problems: string[] = [];
  const unanswered = new Set<Request>();
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith(API) && pathname !== EVENTS) unanswered.add(request);
  });
  context.on('requestfinished', (request) => unanswered.delete(request));
  context.on('requestfailed', (request) => unanswered.delete(request));
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => problems.push(`script: ${error.error().stack ?? error.error()}`));
  context.on('response', (response) => {
    if (response.status() >= FIRST_ERROR)
      problems.push(`${response.status()}: ${response.request().method()} ${response.url()}`);
  });
  if (user !== undefined) {
    const answer = await context.request.post(SESSION, {
      headers: { origin },
      data: { user: user.userId, password: user.password },
    });
    expect(answer.status()).toBe(200);
  }
  return {
    context,
    problems,
    inFlight: () => [...unanswered].map((request) => request.url()),
    async open(path) {
      const page = await context.newPage();
      await page.goto(`${CONSOLE}${path}`);
      return page;
    },
    expectNoProblems: () => expect(problems).toEqual([]),
  };
}
