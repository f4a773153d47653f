import { Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** A field of an object: what it is, and its value. */
export type Field = readonly [label: string, value: ReactNode];

/** The fields of an object, as a list of descriptions. */
export function Fields({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <dl className="fields">
      {fields.map(([label, value]) => (
        <Group key={label} component="div" gap="md" wrap="nowrap" align="flex-start" className="field">
          <dt>{label}</dt>
          <Box component="dd">{value}</Box>
        </Group>
      ))}
    </dl>
  );
}
