import {
  ActionIcon,
  Button,
  Checkbox,
  createTheme,
  FileButton,
  Input,
  Menu,
  Popover,
  SegmentedControl,
  Switch,
  Table,
  Tooltip,
  type CSSVariablesResolver,
} from '@mantine/core'
import { markImages } from '../../ui/data-display/identity/mark-shapes.ts'
import { darkTokens, lightTokens, toVariables } from './tokens.ts'
import { layers } from '../../ui/layers.ts'

/** Heights of buttons and fields in pixels: rows, toolbars, dialogs, first run. */
const heights: Record<string, string> = { xs: '24px', sm: '28px', md: '32px', lg: '36px' }
const paddings: Record<string, string> = { xs: '8px', sm: '10px', md: '15px', lg: '16px' }
const fontSizes: Record<string, string> = { xs: '12px', sm: '12.5px', md: '13px', lg: '13.5px' }
const heightOf = (size: string | number | undefined): string =>
  heights[String(size ?? 'sm')] ?? '28px'

export const theme = createTheme({
  primaryColor: 'cobalt',
  primaryShade: { light: 6, dark: 5 },
  black: '#15171C',
  white: '#FFFFFF',
  defaultRadius: 'sm',
  focusRing: 'auto',
  cursorType: 'default',
  respectReducedMotion: true,
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '14px', xl: '16px' },
  lineHeights: { xs: '16px', sm: '16px', md: '20px', lg: '20px', xl: '24px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '20px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '12px' },
  shadows: { md: 'var(--kd-e2)', lg: 'var(--kd-e3)' },
  colors: {
    cobalt: [
      '#EEF2FE',
      '#DFE6FD',
      '#C2CEFB',
      '#94ABFF',
      '#6F8BF5',
      '#4666E8',
      '#3858D6',
      '#2D4ABF',
      '#22399A',
      '#182A73',
    ],
    gray: [
      '#F8F9FB',
      '#F1F2F5',
      '#E6E8ED',
      '#D2D5DD',
      '#BDC1CA',
      '#A3A8B3',
      '#8A909C',
      '#656B78',
      '#4F5562',
      '#15171C',
    ],
    dark: [
      '#ECEEF1',
      '#A9AEB9',
      '#8B919D',
      '#676D79',
      '#363A42',
      '#23262C',
      '#1B1E23',
      '#131519',
      '#0F1114',
      '#0B0C0F',
    ],
    red: [
      '#FDEEEE',
      '#F4CCCE',
      '#FF9094',
      '#EF6A70',
      '#E24A52',
      '#C93A43',
      '#C92A36',
      '#B4232E',
      '#55262A',
      '#2C1719',
    ],
  },
  components: {
    Button: Button.extend({
      defaultProps: { size: 'sm', variant: 'default' },
      vars: (_theme, props) => ({
        root: {
          '--button-height': heightOf(props.size),
          '--button-fz': fontSizes[String(props.size ?? 'sm')] ?? '12.5px',
          '--button-padding-x': paddings[String(props.size ?? 'sm')] ?? '10px',
        },
      }),
    }),
    Input: Input.extend({
      defaultProps: { size: 'sm' },
      vars: (_theme, props) => ({
        wrapper: {
          '--input-height': heightOf(props.size),
          '--input-fz': '13px',
          '--input-bd': 'var(--kd-control)',
          '--input-bd-focus': 'var(--kd-focus)',
          '--input-bg': 'var(--kd-panel)',
          '--input-padding': '10px',
        },
      }),
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { size: 28, variant: 'subtle', color: 'gray' } }),
    SegmentedControl: SegmentedControl.extend({
      defaultProps: { size: 'xs', withItemsBorders: false },
    }),
    // Without a file, choosing the same one again, which was corrected since, is a change.
    FileButton: FileButton.extend({
      defaultProps: {
        inputProps: {
          onClick: (event) => {
            event.currentTarget.value = ''
          },
        },
      },
    }),
    Checkbox: Checkbox.extend({ defaultProps: { size: '15px', radius: 'xs' } }),
    Switch: Switch.extend({ defaultProps: { size: 'xs', withThumbIndicator: false } }),
    Table: Table.extend({
      defaultProps: {
        fz: 'md',
        verticalSpacing: 7.5,
        horizontalSpacing: 10,
        borderColor: 'var(--kd-line-soft)',
      },
    }),
    Popover: Popover.extend({
      defaultProps: {
        zIndex: layers.popover,
        radius: 9,
        shadow: 'md',
        transitionProps: { transition: 'fade', duration: 120 },
      },
    }),
    Menu: Menu.extend({
      defaultProps: {
        zIndex: layers.popover,
        radius: 9,
        shadow: 'md',
        transitionProps: { transition: 'fade', duration: 120 },
      },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 400, fz: 12, radius: 'sm', transitionProps: { duration: 120 } },
    }),
  },
})

const shared = {
  '--mantine-color-dimmed': 'var(--kd-text-3)',
  '--mantine-color-placeholder': 'var(--kd-text-3)',
  '--mantine-color-anchor': 'var(--kd-accent-text)',
  '--mantine-color-error': 'var(--kd-bad-text)',
  '--mantine-color-body': 'var(--kd-panel)',
  '--mantine-color-text': 'var(--kd-text)',
}

/** Publishes the tokens of both schemes as CSS variables and maps Mantine's variables to them. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...toVariables(lightTokens),
    ...markImages(lightTokens),
    ...shared,
    '--mantine-color-default-border': '#D6D9E0',
    '--mantine-color-default-hover': '#F4F5F8',
  },
  dark: {
    ...toVariables(darkTokens),
    ...markImages(darkTokens),
    ...shared,
    '--mantine-color-default-border': '#30343B',
    '--mantine-color-default': '#1D2025',
    '--mantine-color-default-hover': '#23262C',
  },
})
