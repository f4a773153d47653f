import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsdown';

/** The folder of an installed package, in the path of one of its files. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE = /^(?:licen[cs]e|copying)(?:\.\w+)?$/i;

/** What is published: the program with all that it uses, in parts that load when they are needed. */
export default defineConfig({
  entry: 'src/main.ts',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  copy: [
    { from: 'node_modules/jq-web/jq.wasm', to: 'dist' },
    { from: 'node_modules/jq-web/jq.js', to: 'dist', rename: 'jq.cjs' },
  ],
  outExtensions: () => ({ js: '.js' }),
  plugins: [
    {
      // jq stays a module of its own, which finds its program beside itself.
      name: 'jq',
      transform: {
        filter: { id: /\/jq-program\.ts$/ },
        handler: (code) => code.replace('jq-web', './jq.cjs'),
      },
    },
    {
      name: 'licences',
      generateBundle(_, bundle) {
        const modules = Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' ? file.moduleIds : [],
        );
        const folders = new Set([
          ...modules.flatMap((id) => PACKAGE.exec(id)?.[0] ?? []),
          'node_modules/jq-web',
        ]);
        const source = [...folders].map(licenceOf).sort().join('\n');
        this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
      },
    },
  ],
});

/** Returns the name of a package that becomes part of the program, and its licence. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
