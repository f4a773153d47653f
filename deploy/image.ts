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
    'docs/asyncapi.json',
    'docs/openapi.json',
    'deploy/package.json',
    'deploy/entries.ts',
    'deploy/entrypoint.ts',
    'deploy/healthcheck/main.ts',
    'toolchain/pnpm/package.json',
    'toolchain/pnpm/package-lock.json',
  ],
  /** Patterns of what is left out of them. */
  excluded: ['**/node_modules', '**/*.test.ts', 'packages/testing', 'services/topology'],
  /** Installs the packages, in the folder of the workspace, with the pnpm that npm verifies. */
  install:
    'npm ci --prefix toolchain/pnpm && toolchain/pnpm/node_modules/@pnpm/exe.*/pnpm install --prod --frozen-lockfile && rm -r toolchain',
  user: { uid: 1000, gid: 1000 },
  entrypoint: ['node', 'deploy/entrypoint.ts'],
  command: ['all-in-one'],
  healthcheck: ['node', 'deploy/healthcheck/main.ts'],
} as const;
