import { Box, Group, Title } from '@mantine/core';
import { createContext, type ReactNode, useContext, useId } from 'react';

/** The level of the headings of sections: a case on its own page has the title of the page, one beside the list a heading. */
export const SectionLevel = createContext<2 | 3>(2);

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a case. */
export function Section({ title, actions, children }: SectionProps) {
  const level = useContext(SectionLevel);
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={level} size="h5" id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Box>
  );
}
