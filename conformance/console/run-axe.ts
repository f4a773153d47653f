import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe checks about colours: all that a scheme changes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Shows a page in a colour scheme, and returns the violations that axe finds: of every rule when light, of colours when dark. */
export async function runAxe(page: Page, scheme: 'light' | 'dark'): Promise<AxeResults['violations']> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
  // Colours may change in the course of an animation.
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE);
  // Without the nodes of rules that pass, which are most of the result.
  const options = { resultTypes: ['violations'], ...(scheme === 'dark' ? { runOnly: COLOUR_RULES } : {}) };
  return ((await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults).violations;
}
