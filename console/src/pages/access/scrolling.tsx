import { Box, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface ScrollingProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** The content of a tab that is not a table: it scrolls in the height of the window. */
export function Scrolling({ label, children }: ScrollingProps) {
  return (
    <Box className="scroll-fill" role="region" aria-label={label} tabIndex={0}>
      <Stack gap="lg">{children}</Stack>
    </Box>
  );
}
