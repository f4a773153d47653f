import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { expect, it } from 'vitest';
import { refusal } from '../refusal.ts';
import { fill, served } from '../served.ts';
import { gatewayChapter } from './gateway-chapter.ts';

const ALIASES = {
  '/_service/admin': '/_synapse/admin',
  '/_proto/client': '/_matrix/client',
  '/_proto/media': '/_matrix/media',
  '/_proto/key': '/_matrix/key',
};

/** The path under the original prefix. */
function alias(target: string): string {
  for (const [prefix, original] of Object.entries(ALIASES)) {
    if (target.startsWith(prefix)) return original + target.slice(prefix.length);
  }
  throw new Error(`${target} has no alias`);
}

gatewayChapter('Compatibility prefixes', (gateway) => {
  const prefixes = Object.keys(ALIASES);
  const alike = served.filter(
    ({ rules, template }) =>
      rules.compatAccess === Access.UNSPECIFIED && prefixes.some((prefix) => template.startsWith(prefix)),
  );

  it.each(alike)('$verb $template answers the same without a token', async ({ verb, template }) => {
    const target = fill(template, () => 'x');
    const [documented, original] = [
      await gateway.http(verb, target),
      await gateway.http(verb, alias(target)),
    ];
    expect(original.status).toBe(documented.status);
    // A body that is JSON text is empty here: the services are stubs.
    expect(Object.keys(original.body ?? {})).toEqual(Object.keys(documented.body ?? {}));
    expect(original.body?.errcode).toBe(documented.body?.errcode);
  });

  it.each([
    ['GET', '/_synapse/admin/v1/nothing', 404],
    ['GET', '/_synapse/adminx/v1/register', 404],
    ['GET', '/_synapse/v1/register', 404],
    ['GET', '/_synapse/admin', 404],
    ['GET', '/_matrix/client/nothing', 404],
    ['GET', '/_matrix/clientx/versions', 404],
    ['GET', '/_matrix/media/v3/nothing', 404],
    ['GET', '/_matrix/key/v2/nothing', 404],
    ['GET', '/_matrix/keyx/v2/server', 404],
    ['GET', '/_SYNAPSE/admin/v1/register', 404],
    ['PATCH', '/_synapse/admin/v1/register', 405],
    ['DELETE', '/_matrix/client/versions', 405],
  ])('%s %s is unknown', async (verb, target, status) => {
    expect(await gateway.http(verb, target)).toMatchObject(refusal(status, 'M_UNRECOGNIZED'));
  });

  it('OPTIONS and CORS apply as well', async () => {
    expect(await gateway.http('OPTIONS', '/_synapse/admin/v2/users')).toMatchObject({
      status: 204,
      text: '',
    });
    const { headers } = await gateway.http('GET', '/_matrix/client/v3/login');
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});

gatewayChapter(
  'Disabled compatibility prefixes',
  (gateway) => {
    it.each(['/_synapse/admin/v1/register', '/_synapse/admin/v1/server_version', '/_matrix/client/versions'])(
      '%s is unknown',
      async (target) => {
        expect(await gateway.admin.get(target)).toMatchObject(refusal(404, 'M_UNRECOGNIZED'));
      },
    );
  },
  { server: { compat_prefixes: false } },
);
