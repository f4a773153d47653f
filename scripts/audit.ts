// Lists the installed packages with known vulnerabilities, from a directory of advisories in the OSV format.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Advisory, findVulnerable, type InstalledPackage } from './find-vulnerabilities.ts';
import { root } from './workspace.mjs';

/** The folder of packages in a lockfile of npm. */
const NPM_FOLDER = 'node_modules/';

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error('Usage: npm run audit -- <directory of advisories in the OSV format, one JSON file each>');
  process.exit(2);
}

const packages = installedPackages();
const byName = Map.groupBy(packages, ({ name }) => name);
let advisories = 0;
let findings = 0;
for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.json')) continue;
  advisories++;
  const advisory: Advisory = JSON.parse(readFileSync(join(directory, file), 'utf8'));
  for (const { name, version } of findVulnerable(byName, advisory)) {
    findings++;
    console.log(`${name}@${version}  ${advisory.id}  ${advisory.summary ?? ''}`.trimEnd());
  }
}
console.log(`${packages.length} packages, ${advisories} advisories: ${findings} known vulnerabilities`);
if (advisories === 0) {
  console.error(`${directory} contains no JSON file.`);
  process.exitCode = 2;
} else if (findings > 0) {
  process.exitCode = 1;
}

/** Returns the packages of both lockfiles, each version once, whether or not they suit this platform. */
function installedPackages(): readonly InstalledPackage[] {
  const ofPnpm: { readonly packages: object } = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'));
  const ofNpm: { readonly packages: Readonly<Record<string, { readonly version?: string }>> } = JSON.parse(
    readFileSync(join(root, 'toolchain/pnpm/package-lock.json'), 'utf8'),
  );
  return [
    ...Object.keys(ofPnpm.packages).map((key) => {
      const at = key.lastIndexOf('@');
      return { name: key.slice(0, at), version: key.slice(at + 1) };
    }),
    ...Object.entries(ofNpm.packages).flatMap(([path, { version }]) =>
      path.startsWith(NPM_FOLDER) && version !== undefined
        ? [{ name: path.slice(NPM_FOLDER.length), version }]
        : [],
    ),
  ];
}
