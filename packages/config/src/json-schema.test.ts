import { expect, it } from 'vitest';
import { z } from 'zod';
import { configSchema } from './json-schema.ts';

/** The schema as a validator, made from its JSON. */
const validatorOf = (json: object) => z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]);

it('accepts what the server accepts, and refuses unknown keys, other types and values out of range', () => {
  const validator = validatorOf(configSchema());
  const accepts = (values: unknown) => validator.safeParse(values).success;
  expect(accepts({})).toBe(true);
  expect(accepts({ server: { name: 'example.org' }, rate_limits: { message: { burst: 3 } } })).toBe(true);
  expect(accepts({ server: { nmae: 'example.org' } })).toBe(false);
  expect(accepts({ sevrer: {} })).toBe(false);
  expect(accepts({ rate_limits: { message: { burst: 0 } } })).toBe(false);
  expect(accepts({ notices: { enabled: 'on' } })).toBe(false);
});

it('has no pattern that other languages cannot read, and describes the settings', () => {
  const text = JSON.stringify(configSchema());
  expect(text).not.toMatch(/"pattern":"[^"]*\(\?[=!<]/);
  expect(text).toContain('"description":"The port to listen on. 0 selects any free port"');
});

it('leaves out the settings that are not admitted, and empty sections', () => {
  const json = configSchema(([section], { secret }) => section !== 'store' && !secret);
  expect(Object.keys(json.properties ?? {})).not.toContain('store');
  expect(json.properties?.registration?.properties).not.toHaveProperty('shared_secret');
  expect(json.properties?.registration?.properties).toHaveProperty('enabled');
});
