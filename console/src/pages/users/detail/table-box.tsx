import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

/** Gives a table of many rows the height in which it scrolls. */
export function TableBox({ children }: { readonly children: ReactNode }) {
  return (
    <Box h="max(360px, 62dvh)" style={COLUMN}>
      {children}
    </Box>
  );
}

const COLUMN = { display: 'flex', flexDirection: 'column' } as const;
