import { type DescField, getOption, ScalarType } from '@bufbuild/protobuf';
import { Access, Body, field as fieldOption } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { ODD_VALUES } from '../odd-values.ts';
import { fill, IDS, servedOnce } from '../served.ts';

/** Whether a field can have a value of this type, so that the gateway passes it to a service. */
function fits({ fieldKind, scalar }: DescField, value: string): boolean {
  switch (fieldKind) {
    case 'list':
      return value.startsWith('[');
    case 'scalar':
      if (scalar === ScalarType.STRING) return value.startsWith('"');
      return scalar === ScalarType.BOOL ? value === 'true' : /^[-\d]/.test(value);
    default:
      return true;
  }
}

const reading = servedOnce
  .filter(({ rules }) => rules.body !== Body.IGNORED)
  .map((endpoint) => ({ ...endpoint, name: `${endpoint.verb} ${endpoint.template}` }));

// Refusals by the gateway are tested in gateway/request-bodies.test.ts.
chapter('0.5 Odd values in bodies', (world) => {
  it.each(reading)('$name', async ({ verb, template, rules, method }) => {
    const user = await world.user();
    const token = rules.access === Access.ADMIN ? world.admin.token : user.token;
    const values: Record<string, string> = { ...IDS, user_id: user.userId, device_id: user.deviceId };
    const target = fill(template, (variable) => values[variable] ?? `a-${variable}`);
    for (const field of method.input.fields) {
      if (getOption(field, fieldOption).presentKeys || template.includes(`{${field.name}}`)) continue;
      const survives = async (value: string) => {
        const rawBody = `{"${field.name}":${value}}`;
        const request = rules.access === Access.NONE ? { rawBody } : { token, rawBody };
        expect((await world.http(verb, target, request)).status, rawBody).toBeLessThan(500);
      };
      await Promise.all(ODD_VALUES.filter((value) => fits(field, value)).map(survives));
    }
  });
});
