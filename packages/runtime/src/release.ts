import { readFileSync } from 'node:fs';

/** The version of this program, from the `package.json` of the workspace, which every image and archive contains. */
export const RELEASE: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;
