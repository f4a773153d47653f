import { createTheme } from '@mantine/core';

/** Darker than Mantine's shades, so that white text on them and they on white have a contrast of at least 4.5. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 9 },
  autoContrast: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  respectReducedMotion: true,
});
