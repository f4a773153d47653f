import { Badge, type CSSVariablesResolver, createTheme } from '@mantine/core';

/** Darker than Mantine's shades, so that white text on them and they on white have a contrast of at least 4.5. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 9 },
  autoContrast: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  respectReducedMotion: true,
  components: {
    // A state is never cut off.
    Badge: Badge.extend({ defaultProps: { miw: 'max-content' } }),
  },
});

/** Texts in the background have that contrast, too. */
export const variables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[0],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
  },
});
