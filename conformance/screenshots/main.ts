import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './find-chromium.ts';
import { ADMINISTRATOR, PASSWORD } from './people.ts';
import { startServer } from './start-server.ts';
import { createStoryClock } from './story-clock.ts';
import { takePictures } from './take-pictures.ts';
import { STORY_MS, tellStory } from './tell-story.ts';

/**
 * Writes the pictures of the README: starts a server with its data in a temporary directory, lets a community live on it, and opens
 * the console in Chromium. Leaves nothing but the pictures.
 */
const IMAGES = join(import.meta.dirname, '../../docs/images');

const chromium = findChromium(process.env);
if (chromium === undefined) {
  console.error('There is no Chromium. Install it, or set CHROMIUM to the path of its program.');
  process.exit(1);
}

const data = await mkdtemp(join(tmpdir(), 'steward-screenshots-'));
// Also after an interruption.
process.once('exit', () => rmSync(data, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const clock = createStoryClock(STORY_MS);
const server = await startServer(data, clock);
try {
  console.log('A community lives for 30 days.');
  const shown = await tellStory(server, clock);
  console.log('The pictures are taken.');
  await mkdir(IMAGES, { recursive: true });
  await takePictures(chromium, server.url, { user: ADMINISTRATOR.name, password: PASSWORD }, [
    {
      file: join(IMAGES, 'console-reports.webp'),
      scheme: 'light',
      path: `/reports?state=all&case=${encodeURIComponent(shown)}`,
      async ready(page) {
        await page.getByText('The link is a fraud').waitFor();
        await page.getByText('TODAY ONLY').first().waitFor();
      },
    },
    {
      file: join(IMAGES, 'console-overview.webp'),
      scheme: 'dark',
      path: '/?range=month',
      async ready(page) {
        await page.getByRole('img', { name: /^Messages/ }).waitFor();
        // Below the header, which stays where it is.
        await page.getByText('Over time').evaluate((heading) => {
          heading.style.scrollMarginTop = '72px';
          heading.scrollIntoView();
        });
      },
    },
  ]);
} finally {
  await server.close();
}
