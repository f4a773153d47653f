import { defineConfig } from 'tsdown';

/** What is published: one module for Node and browsers, and its types. */
export default defineConfig({
  entry: 'src/mod.ts',
  format: 'esm',
  platform: 'neutral',
  target: ['node20', 'chrome110', 'firefox110', 'safari16'],
  dts: { generator: 'oxc' },
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
});
