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
    'deploy/entries.ts',
    'deploy/entrypoint.ts',
    'deploy/healthcheck/main.ts',
    'scripts/build-console.mjs',
    'scripts/run-command.mjs',
    'scripts/workspace.mjs',
    'toolchain/pnpm/package.json',
    'toolchain/pnpm/package-lock.json',
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
  /** Builds the console, in a folder of its own: its packages are no part of the image. */
  buildConsole:
    'npm ci --prefix toolchain/pnpm && toolchain/pnpm/node_modules/@pnpm/exe.*/pnpm install --filter @steward/console... --frozen-lockfile && node scripts/build-console.mjs',
  /** What is copied from there. */
  console: 'console/dist',
  /** Installs the packages, in the folder of the workspace, with the pnpm that npm verifies. */
  install:
    'rm -r console scripts && npm ci --prefix toolchain/pnpm && toolchain/pnpm/node_modules/@pnpm/exe.*/pnpm install --prod --frozen-lockfile && rm -r toolchain tsconfig.base.json',
  user: { uid: 1000, gid: 1000 },
  entrypoint: ['node', 'deploy/entrypoint.ts'],
  command: ['all-in-one'],
  healthcheck: ['node', 'deploy/healthcheck/main.ts'],
} as const;
