// Regenerates all committed generated files: code from the protos, documents from the schemas, rights from the services.
// With a directory as its argument, writes them there instead of into the repository.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root, toolEnvironment } from './workspace.mjs';

/** The protos of other projects that the sources use, below the folder of the package that contains them. */
const FOREIGN_PROTOS = [
  'google-proto-files/google/api/annotations.proto',
  'google-proto-files/google/api/http.proto',
  'google-proto-files/google/rpc/error_details.proto',
  'grpc-health-check/proto/health/v1/health.proto',
  '@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto',
  '@grpc/reflection/build/proto/grpc/reflection/v1alpha/reflection.proto',
];

/** What the example with Connect calls, whose stubs lie in its folder, because it is copied out of the repository. */
const EXAMPLE = 'examples/connect';
const EXAMPLE_PROTOS = [
  'proto/steward/moderation/v1/audit.proto',
  'proto/steward/room/v1/room_deletion.proto',
  'proto/steward/user/v1/accounts.proto',
  'proto/steward/user/v1/conditions.proto',
  'proto/node_modules/google-proto-files/google/rpc/error_details.proto',
  'proto/node_modules/grpc-health-check/proto/health/v1/health.proto',
];

const target = resolve(process.argv[2] ?? root);
const tool = { cwd: root, env: toolEnvironment() };

rmSync(join(target, 'proto/gen'), { recursive: true, force: true });
run('buf', 'generate', '--path', 'proto/steward', '--output', target);
// Without source info, so that the generated code does not contain the comments of those projects.
const paths = FOREIGN_PROTOS.flatMap((file) => ['--path', `proto/node_modules/${file}`]);
const image = execFileSync('buf', ['build', '--exclude-source-info', ...paths, '--output', '-'], tool);
execFileSync('buf', ['generate', '-', '--output', target], {
  ...tool,
  input: image,
  stdio: ['pipe', 'inherit', 'inherit'],
});
rmSync(join(target, EXAMPLE, 'gen'), { recursive: true, force: true });
const template = ['--template', `${EXAMPLE}/buf.gen.yaml`];
const called = EXAMPLE_PROTOS.flatMap((file) => ['--path', file]);
run('buf', 'generate', ...template, ...called, '--output', join(target, EXAMPLE));
run('node', 'scripts/generate-docs.ts', target);
run('node', 'scripts/generate-access.ts', target);
run('node', 'scripts/generate-sdk.ts', target);
run('node', 'scripts/generate-cli.ts', target);

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, ...args) {
  execFileSync(command, args, { ...tool, stdio: 'inherit' });
}
