import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Shows a page in a colour scheme, and returns what axe finds wrong with it. A scheme changes nothing but colours: in the
 * dark one only the rules about colours are asked.
 */
export async function runAxe(page: Page, scheme: 'light' | 'dark'): Promise<AxeResults['violations']> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
  // Colours may change in the course of an animation.
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE);
  const options = scheme === 'light' ? {} : { runOnly: ['color-contrast', 'link-in-text-block'] };
  // Passes and inapplicable rules are many, and nobody reads them.
  const run = `axe.run({ ...${JSON.stringify(options)}, resultTypes: ['violations'] })`;
  return ((await page.evaluate(`${run}.then(({ violations }) => ({ violations }))`)) as AxeResults)
    .violations;
}
