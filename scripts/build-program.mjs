// Builds the programs of the server into dist: each command, and each thread, with all that it loads, in few files. Node reads
// and links the two thousand modules of the sources in twice the time that it needs for these. Set-up imports this file; run by
// itself, it builds, and fails if that fails.
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isBuilt, replaceBuilt } from './built-folder.mjs';
import { root } from './workspace.mjs';

/** What the programs are built from. */
const PROGRAM = {
  parent: '',
  inputs: [
    'deploy/commands.ts',
    'gateway',
    'packages',
    'services',
    'proto/gen',
    'pnpm-lock.yaml',
    'scripts/build-program.mjs',
    'scripts/built-folder.mjs',
  ],
};

/** The modules that run in threads of their own. */
const THREADS = {
  'reader-thread': 'packages/store/src/sqlite/engine/reader-thread.ts',
  'body-thread': 'gateway/src/bodies/body-thread.ts',
};

/** Packages that load native code or files of their own: they stay where they are installed. */
const APART = /^(?:piscina|sharp|@node-rs\/(?:argon2|bcrypt))$/;

/** The URL of the module of a thread; else that of a module itself, or of a package that it resolves. */
const OWN_URL =
  /new URL\('\.\/(?<thread>[\w-]+-thread)\.ts', import\.meta\.url\)|import\.meta\.(?:url|resolve\('(?<name>[^']+)'\))/g;

/**
 * Whether the programs are built from what is in the workspace now.
 *
 * @param {string} [base] the root of the workspace
 */
export function isProgramBuilt(base = root) {
  return isBuilt(PROGRAM, base);
}

/**
 * Builds the programs. A build that fails or is killed leaves the former one.
 *
 * @param {string} [base] the root of the workspace
 * @throws Error with the place in the source when the build fails
 */
export async function buildProgram(base = root) {
  // Set-up runs before it is installed.
  const { build } = await import('rolldown');
  const { COMMANDS } = await import(pathToFileURL(join(base, 'deploy', 'commands.ts')).href);
  const sources = Object.entries(COMMANDS).map(([name, { source }]) => [name, source]);
  const input = Object.fromEntries(
    [...sources, ...Object.entries(THREADS)].map(([name, path]) => [name, join(base, path)]),
  );
  await replaceBuilt(PROGRAM, base, async (dir) => {
    await build({
      input,
      cwd: base,
      platform: 'node',
      logLevel: 'warn',
      onLog(level, log, handle) {
        // By default, what is not installed is only missing at run time.
        if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
        handle(level, log);
      },
      plugins: [packagesApart(base), ownUrls(base)],
      output: {
        dir,
        format: 'esm',
        sourcemap: false,
        entryFileNames: '[name].js',
        chunkFileNames: 'part-[hash].js',
      },
    });
  });
}

/**
 * Leaves some packages out, and names their files relative to dist.
 *
 * @param {string} base
 * @returns {import('rolldown').Plugin}
 */
function packagesApart(base) {
  return {
    name: 'packages-apart',
    resolveId: {
      filter: { id: APART },
      async handler(source, importer) {
        const resolved = await this.resolve(source, importer, { skipSelf: true });
        if (!resolved) throw new Error(`${importer}: ${source} is not installed`);
        return { id: pathFromDist(base, resolved.id), external: true };
      },
    },
  };
}

/**
 * Lets modules find their files: the URL of a module becomes that of its source, relative to the file of dist that contains it;
 * that of a thread becomes that of its program in dist.
 *
 * @param {string} base
 * @returns {import('rolldown').Plugin}
 */
function ownUrls(base) {
  return {
    name: 'own-urls',
    transform: {
      filter: { code: 'import.meta.' },
      async handler(code, id) {
        // A module that the bundler adds.
        if (id.startsWith('\0')) return undefined;
        let changed = '';
        let end = 0;
        for (const match of code.matchAll(OWN_URL)) {
          const { thread, name } = match.groups ?? {};
          changed += code.slice(end, match.index);
          end = match.index + match[0].length;
          if (thread !== undefined) {
            changed += `new URL('./${thread}.js', import.meta.url)`;
            continue;
          }
          const file = name === undefined ? id : (await this.resolve(name, id))?.id;
          if (file === undefined) throw new Error(`${id}: ${name} is not installed`);
          changed += `new URL('${pathFromDist(base, file)}', import.meta.url).href`;
        }
        return changed + code.slice(end);
      },
    },
  };
}

/**
 * @param {string} base
 * @param {string} file
 */
function pathFromDist(base, file) {
  return posix.join('..', relative(base, file).split(sep).join('/'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProgram();
