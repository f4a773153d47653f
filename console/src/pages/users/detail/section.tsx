import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a tab, with its heading and the orders for it. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <Box component="section" mb="lg">
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
