import { describe, expect, it } from 'vitest';
import { checkManifest, checkSource, readCatalog } from './check-imports.mjs';
import type { Package } from './workspace.mjs';

const all = {
  '@steward/proto': 'workspace:*',
  '@steward/kernel': 'workspace:*',
  '@steward/sdk': 'workspace:*',
  '@steward/user': 'workspace:*',
};
const door = { '.': './src/mod.ts' };

const pkg = (directory: string, name: string, exports: Record<string, string> = door): Package => ({
  directory,
  manifest: { name: `@steward/${name}`, exports, dependencies: all },
});

const packages: Package[] = [
  { directory: '', manifest: { name: 'steward' } },
  pkg('proto', 'proto', { './*': './gen/*' }),
  pkg('packages/kernel', 'kernel', { ...door, './testing': './src/testing/mod.ts' }),
  { directory: 'packages/store', manifest: { name: '@steward/store' } },
  pkg('services/user', 'user'),
  pkg('services/room', 'room'),
  pkg('services/all-in-one', 'all-in-one'),
  pkg('gateway', 'gateway'),
  pkg('conformance', 'conformance'),
  pkg('console', 'console'),
  pkg('packages/sdk', 'sdk'),
];

const check = (path: string, specifier: string) =>
  checkSource(path, `import { x } from '${specifier}';`, packages);

describe('imports', () => {
  it.each([
    ['services/user/src/routes.ts', '@steward/kernel'],
    ['services/user/src/routes.ts', '@steward/kernel/testing'],
    ['services/user/src/routes.ts', '@steward/proto/steward/user/v1/accounts_pb.ts'],
    ['services/user/src/accounts/create.ts', '../routes.ts'],
    ['services/user/src/routes.ts', 'node:fs'],
    ['services/user/src/routes.ts', 'fastify/deep/door'],
    ['services/all-in-one/src/main.ts', '@steward/user'],
    ['conformance/users.test.ts', '@steward/user'],
    ['console/src/main.tsx', '@steward/sdk'],
    ['scripts/generate-docs.ts', '../packages/kernel/src/mod.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(check(path, specifier)).toEqual([]);
  });

  it.each([
    ['services/room/src/routes.ts', '@steward/user', '@steward/room may not import @steward/user'],
    ['packages/kernel/src/clock.ts', '@steward/user', '@steward/kernel may not import @steward/user'],
    ['gateway/src/server.ts', '@steward/user', '@steward/gateway may not import @steward/user'],
    ['console/src/a.tsx', '@steward/kernel', '@steward/console may not import @steward/kernel'],
    [
      'gateway/src/server.ts',
      '@steward/kernel/src/clock.ts',
      '@steward/kernel/src/clock.ts is not exported by @steward/kernel',
    ],
    [
      'services/user/src/a.ts',
      '../../../packages/kernel/src/mod.ts',
      '../../../packages/kernel/src/mod.ts leaves the package; import @steward/kernel instead',
    ],
    [
      'services/user/src/a.ts',
      '../../../scripts/workspace.mjs',
      '../../../scripts/workspace.mjs leaves the package; import steward instead',
    ],
    ['services/user/src/a.ts', '@steward/user', '@steward/user is the package itself; import relatively'],
    ['services/user/src/a.ts', '@steward/kernal', 'there is no package @steward/kernal'],
    [
      'packages/store/src/a.ts',
      '@steward/kernel',
      '@steward/kernel is not declared in packages/store/package.json',
    ],
    [
      'scripts/a.mjs',
      '../packages/kernel/src/clock.ts',
      '../packages/kernel/src/clock.ts is not exported by @steward/kernel',
    ],
  ])('%s may not import %s', (path, specifier, breach) => {
    expect(check(path, specifier)).toEqual([`${path}: ${breach}`]);
  });

  // Not spelled out, so that the check does not find them in this file.
  const user = '@steward/user';
  it.each([
    `import '${user}';`,
    `import type { A } from '${user}';`,
    `import {\n  a,\n  b,\n} from '${user}';`,
    `export * from '${user}';`,
    `const user = await import('${user}');`,
    `import a from "${user}";`,
  ])('imports are found in %j', (source) => {
    expect(checkSource('services/room/src/a.ts', source, packages)).toHaveLength(1);
  });
});

describe('dependencies', () => {
  it('dependencies are pinned in the catalog or lie in the workspace', () => {
    const dependencies = { '@steward/kernel': 'workspace:*', zod: 'catalog:', pino: '^10.0.0' };
    expect(
      checkManifest(
        { directory: 'packages/a', manifest: { name: 'a', dependencies, devDependencies: { b: '*' } } },
        new Map(),
      ),
    ).toEqual([
      'packages/a/package.json: pino must be "catalog:" or "workspace:*", not "^10.0.0"',
      'packages/a/package.json: b must be "catalog:" or "workspace:*", not "*"',
    ]);
  });

  it('have the version of the catalog in examples, which are copied out of the workspace', () => {
    const catalog = readCatalog(
      'packages:\n  - a\n\ncatalog:\n  "@a/b": 1.2.3\n  pino: 10.4.0\n\nother: 1\n',
    );
    const dependencies = {
      '@a/b': '1.2.3',
      pino: '10.3.0',
      zod: 'catalog:',
      '@steward/proto': 'workspace:*',
    };
    expect(
      checkManifest({ directory: 'examples/a', manifest: { name: 'a', dependencies } }, catalog),
    ).toEqual([
      'examples/a/package.json: pino must be "10.4.0" of the catalog, not "10.3.0"',
      'examples/a/package.json: zod must be "a version" of the catalog, not "catalog:"',
      'examples/a/package.json: @steward/proto must be "a version" of the catalog, not "workspace:*"',
    ]);
  });
});
