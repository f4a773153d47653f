import {
  Alert,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  DEFAULT_THEME,
  DrawerHeader,
  type MantineColorsTuple,
  ModalHeader,
} from '@mantine/core';

/** The shade of a colour in the light scheme. */
const LIGHT_SHADE = 8;

/** A colour whose shade in the light scheme has enough contrast with white. */
function darkened(name: 'green' | 'orange' | 'red' | 'yellow', shade: string): MantineColorsTuple {
  return DEFAULT_THEME.colors[name].with(LIGHT_SHADE, shade) as unknown as MantineColorsTuple;
}

/** Darker than Mantine's shades, so that white text on them and they on white have a contrast of at least 4.5. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: LIGHT_SHADE, dark: 9 },
  colors: {
    green: darkened('green', '#237032'),
    orange: darkened('orange', '#b34700'),
    red: darkened('red', '#c92a2a'),
    yellow: darkened('yellow', '#8a5a00'),
  },
  autoContrast: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  respectReducedMotion: true,
  components: {
    // The heading of a dialog is not a second banner of the page.
    DrawerHeader: DrawerHeader.extend({ defaultProps: { role: 'presentation' } }),
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'presentation' } }),
    // What has always been on the page is not announced; errors say that they are alerts.
    Alert: Alert.extend({ defaultProps: { role: 'note' } }),
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
