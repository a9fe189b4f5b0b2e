/** Every colour and shadow of the look, by its short name; `--kd-<name>` in CSS. Light and dark hold the same names. */
export interface Tokens {
  readonly [name: string]: string
}

export const lightTokens = {
  chrome: '#F1F2F5', panel: '#FFFFFF', sunken: '#F8F9FB', raised: '#FFFFFF',
  hover: '#F4F5F8', press: '#EBEDF1', 'nav-on': '#E2E5EB',
  line: '#E6E8ED', 'line-soft': '#EFF1F4', 'line-raised': '#E6E8ED', 'line-soft-raised': '#EFF1F4',
  'line-2': '#D2D5DD', control: '#8A909C', 'button-line': '#D6D9E0', 'button-face': '#FFFFFF',
  text: '#15171C', 'text-2': '#4F5562', 'text-3': '#656B78', 'text-off': '#A3A8B3',
  accent: '#3858D6', 'accent-hover': '#2D4ABF', 'accent-text': '#3050C8', focus: '#3858D6',
  tint: '#EEF2FE', 'tint-2': '#DFE6FD', cell: '#7D93E8', 'cell-off': '#E2E5EB', bar: '#C2C6CF', 'bar-last': '#7A808D',
  ok: '#14804F', 'ok-text': '#0F6B42', 'ok-tint': '#E7F6EE',
  warn: '#C27A00', 'warn-text': '#875200', 'warn-tint': '#FDF4E1', 'warn-line': '#F1DBAC',
  bad: '#D0323D', 'bad-text': '#B4232E', 'bad-tint': '#FDEEEE', 'bad-fill': '#C92A36', 'bad-line': '#F4CCCE',
  live: '#0F7A4B', 'live-text': '#FFFFFF', test: '#F0B33E', 'test-text': '#2B1D00',
  sandbox: '#7C3390', 'sandbox-tint': '#F8EFFA', 'sandbox-line': '#C79AD2', 'sandbox-strip': '#8A3C9C',
  'chart-other': '#8E94A1', 'chart-grid': '#ECEEF2', 'chart-behind': 'rgba(194, 122, 0, 0.14)', 'chart-gap': '#EBEDF1',
  avatar: '#DFE6FA', 'avatar-text': '#3050C8', scrim: 'rgba(16, 18, 24, 0.3)',
  e1: '0 1px 1px rgba(17, 20, 30, 0.05)',
  'e1-accent': 'inset 0 1px 0 rgba(255, 255, 255, 0.12), 0 1px 2px rgba(24, 42, 115, 0.28)',
  e2: '0 0 0 1px rgba(17, 20, 30, 0.08), 0 2px 6px rgba(17, 20, 30, 0.06), 0 10px 32px rgba(17, 20, 30, 0.13)',
  e3: '0 0 0 1px rgba(17, 20, 30, 0.08), 0 4px 12px rgba(17, 20, 30, 0.08), 0 20px 64px rgba(17, 20, 30, 0.3)',
} as const

export const darkTokens: Record<keyof typeof lightTokens, string> = {
  chrome: '#0B0C0F', panel: '#131519', sunken: '#0F1114', raised: '#1B1E23',
  hover: '#191C21', press: '#21242A', 'nav-on': '#1E2127',
  line: '#23262C', 'line-soft': '#1C1F24', 'line-raised': '#2B2F36', 'line-soft-raised': '#262A30',
  'line-2': '#363A42', control: '#676D79', 'button-line': '#30343B', 'button-face': '#1D2025',
  text: '#ECEEF1', 'text-2': '#A9AEB9', 'text-3': '#8B919D', 'text-off': '#5A606B',
  accent: '#4666E8', 'accent-hover': '#3D5CDC', 'accent-text': '#94ABFF', focus: '#7F9AFF',
  tint: '#181F36', 'tint-2': '#222C4F', cell: '#3D55B8', 'cell-off': '#2A2D34', bar: '#3A3E47', 'bar-last': '#868C99',
  ok: '#3CB87F', 'ok-text': '#5FCB98', 'ok-tint': '#12261D',
  warn: '#E0A03A', 'warn-text': '#E8B55F', 'warn-tint': '#2A2112', 'warn-line': '#4B3A19',
  bad: '#EF6A70', 'bad-text': '#FF9094', 'bad-tint': '#2C1719', 'bad-fill': '#C93A43', 'bad-line': '#55262A',
  live: '#178051', 'live-text': '#FFFFFF', test: '#E5AB3C', 'test-text': '#231700',
  sandbox: '#DDA0EA', 'sandbox-tint': '#2A1A2F', 'sandbox-line': '#6E437A', 'sandbox-strip': '#9B4DAF',
  'chart-other': '#868C99', 'chart-grid': '#20232A', 'chart-behind': 'rgba(224, 160, 58, 0.13)', 'chart-gap': '#21242A',
  avatar: '#222C4F', 'avatar-text': '#94ABFF', scrim: 'rgba(0, 0, 0, 0.58)',
  e1: '0 1px 1px rgba(0, 0, 0, 0.3)',
  'e1-accent': 'inset 0 1px 0 rgba(255, 255, 255, 0.1)',
  e2: '0 0 0 1px #32363E, 0 10px 32px rgba(0, 0, 0, 0.5)',
  e3: '0 0 0 1px #32363E, 0 24px 64px rgba(0, 0, 0, 0.6)',
}

/** `{ '--kd-chrome': '#F1F2F5', … }`, as Mantine's `cssVariablesResolver` takes it. */
export function toVariables(tokens: Tokens): Record<string, string> {
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--kd-${name}`, value]))
}
