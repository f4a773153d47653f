import { writeFile } from 'node:fs/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';

/** The pixels of a picture. */
const VIEWPORT = { width: 1280, height: 800 };
/** The largest file, in bytes. */
const MAX_BYTES = 120_000;

/** A picture of a page of the console. */
export interface Picture {
  readonly file: string;
  readonly scheme: 'light' | 'dark';
  /** The page, such as `/users`. */
  readonly path: string;
  /** Waits until the page shows what the picture is of. */
  readonly ready: (page: Page) => Promise<unknown>;
}

/** Who signs in. */
export interface Viewer {
  readonly user: string;
  readonly password: string;
}

/**
 * Writes pictures of pages as WebP.
 *
 * @param command the program of Chromium
 * @throws Error if a picture is larger than 120 kB, or if something fails on a page
 */
export async function takePictures(
  command: string,
  url: string,
  { user, password }: Viewer,
  pictures: readonly Picture[],
): Promise<void> {
  const browser = await chromium.launch({ executablePath: command, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (const picture of pictures) await take(browser, url, { user, password }, picture);
  } finally {
    await browser.close();
  }
}

async function take(browser: Browser, url: string, viewer: Viewer, picture: Picture): Promise<void> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    colorScheme: picture.scheme,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const failures: string[] = [];
  context.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
  context.on('weberror', (error) => failures.push(String(error.error())));
  const page = await context.newPage();
  await page.goto(`${url}/_service/console${picture.path}`);
  await page.getByLabel('User id or name').fill(viewer.user);
  await page.getByLabel(/^Password/).fill(viewer.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-live=connected]').waitFor();
  await picture.ready(page);
  // A row below the pointer looks different.
  await page.mouse.move(0, 0);
  const bytes = await sharp(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
    .webp({ nearLossless: true, quality: 60, effort: 6 })
    .toBuffer();
  await context.close();
  if (failures.length > 0) throw new Error(`The page ${picture.path} failed: ${failures.join('; ')}`);
  if (bytes.length > MAX_BYTES)
    throw new Error(`${picture.file} has ${bytes.length} bytes, more than ${MAX_BYTES}`);
  await writeFile(picture.file, bytes);
}
