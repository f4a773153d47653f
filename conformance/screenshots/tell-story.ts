import type { Client } from '@steward/sdk';
import { type Community, foundCommunity } from './community.ts';
import { INCIDENTS, moderateToday } from './moderation.ts';
import { PEOPLE } from './people.ts';
import type { PicturedServer } from './start-server.ts';
import type { StoryClock } from './story-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOURS_PER_DAY = 24;
/** How often in a day people meet. */
const MEETINGS_PER_DAY = 4;
const STORY_DAYS = 30;
/** How long before the present the story begins. */
export const STORY_MS = STORY_DAYS * HOURS_PER_DAY * HOUR_MS;

/** Lets a community live on an empty server for 30 days, up to the present. Returns the id of the case that the pictures show. */
export async function tellStory(server: PicturedServer, clock: StoryClock): Promise<string> {
  const community = await foundCommunity(server.url);
  for (let daysAgo = STORY_DAYS; daysAgo > 0; daysAgo--) await passDay(community, daysAgo, server, clock);
  const shown = await moderateToday(community, (minutes) => clock.goTo(minutes * MINUTE_MS));
  clock.goTo(0);
  await server.restart();
  await untilSampled(community.admin);
  return shown;
}

async function passDay(
  community: Community,
  daysAgo: number,
  server: PicturedServer,
  clock: StoryClock,
): Promise<void> {
  for (let meeting = 0; meeting < MEETINGS_PER_DAY; meeting++) {
    clock.goTo((daysAgo - meeting / MEETINGS_PER_DAY) * HOURS_PER_DAY * HOUR_MS);
    if (meeting === 0) await community.welcome(daysAgo);
    // There is less to say on some days, and more with every newcomer.
    const people = PEOPLE.filter(({ joined }) => joined >= daysAgo).length;
    await community.chat(Math.round((people / 3) * (1 + Math.sin(daysAgo * 0.9) / 2)));
    await community.signIn(2);
  }
  await INCIDENTS[daysAgo]?.(community);
  await server.restart();
  await untilSampled(community.admin);
}

/** Waits until the server has kept the figures of the hour. */
async function untilSampled(admin: Client): Promise<void> {
  let sampled = false;
  while (!sampled) {
    const { points } = await admin.statistics.getHistory({ interval: 'hour' });
    sampled = typeof points.at(-1)?.open_reports === 'number';
  }
}
