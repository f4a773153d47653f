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
    'docs/openapi.json',
    'deploy/package.json',
    'deploy/entries.ts',
    'deploy/entrypoint.ts',
    'deploy/healthcheck/main.ts',
  ],
  /** Patterns of what is left out of them. */
  excluded: ['**/node_modules', '**/*.test.ts', 'packages/testing', 'services/topology'],
  /** Installs the packages, in the folder of the workspace. */
  install: 'npx --yes pnpm@12.21.0 install --prod --frozen-lockfile',
  user: { uid: 1000, gid: 1000 },
  entrypoint: ['node', 'deploy/entrypoint.ts'],
  command: ['all-in-one'],
  healthcheck: ['node', 'deploy/healthcheck/main.ts'],
} as const;
