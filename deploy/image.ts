/** What the image holds and how it runs, as `deploy/Dockerfile` and `.dockerignore` say it; a test compares them. */
export const IMAGE = {
  /** The files and folders of the workspace that a build may copy. */
  included: [
    'LICENSE',
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'patches',
    'proto',
    'packages',
    'services',
    'gateway',
    'console',
    'docs/asyncapi.json',
    'docs/openapi.json',
    'deploy/package.json',
    'deploy/commands.ts',
    'deploy/healthcheck/main.ts',
    'deploy/steward.ts',
    'scripts/build-console.mjs',
    'scripts/build-program.mjs',
    'scripts/built-folder.mjs',
    'scripts/run-command.mjs',
    'scripts/workspace.mjs',
    'toolchain/pnpm/package.json',
    'toolchain/pnpm/package-lock.json',
    'steward',
    'tsconfig.base.json',
  ],
  /** Patterns of what is left out of them. */
  excluded: [
    '**/node_modules',
    '**/*.test.ts',
    '**/*.test.tsx',
    'console/dist',
    'packages/testing',
    'services/topology',
  ],
  /** Builds the programs and the console, in a folder of its own: the packages that build are not part of the image. */
  build:
    'npm ci --prefix toolchain/pnpm && toolchain/pnpm/node_modules/@pnpm/exe.*/pnpm install --prod --filter @steward/all-in-one... --frozen-lockfile && toolchain/pnpm/node_modules/@pnpm/exe.*/pnpm install --filter @steward/console... --frozen-lockfile && node scripts/build-console.mjs && node scripts/build-program.mjs',
  /** What is copied from there. */
  built: ['dist', 'console/dist'],
  /** Installs the packages of production, with the pnpm that npm verifies; the programs load those with native code. */
  install:
    'rm -r console scripts && npm ci --prefix toolchain/pnpm && toolchain/pnpm/node_modules/@pnpm/exe.*/pnpm install --prod --frozen-lockfile && rm -r gateway packages proto services toolchain tsconfig.base.json',
  user: { uid: 1000, gid: 1000 },
  entrypoint: ['./steward'],
  command: ['serve'],
  healthcheck: ['node', 'deploy/healthcheck/main.ts'],
} as const;
