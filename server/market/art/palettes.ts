import type { Colour } from './drawing/colour.ts'
import { hex } from './drawing/colour.ts'

/** The colors of one series: two for the background, one for light, one accent. */
export interface Palette {
  deep: Colour
  mid: Colour
  light: Colour
  accent: Colour
}

const palette = (deep: string, mid: string, light: string, accent: string): Palette => ({
  deep: hex(deep),
  mid: hex(mid),
  light: hex(light),
  accent: hex(accent),
})

export const palettes: readonly Palette[] = [
  palette('#0B1B33', '#1F6F8B', '#A8E0D8', '#F2B84B'),
  palette('#1A1029', '#7A2E6B', '#F2A7A0', '#FFD37A'),
  palette('#10231C', '#2F7A55', '#CBE8B0', '#F4E285'),
  palette('#231411', '#A8432F', '#FFCB9A', '#FFE9C7'),
  palette('#121A3A', '#3D4FB0', '#B7C6FF', '#FF9E7A'),
  palette('#0E2430', '#2B5F75', '#E8D9B5', '#E4714C'),
  palette('#2A0F1E', '#A12A4B', '#FFB7A8', '#F8D66D'),
  palette('#161616', '#4A4F57', '#D9D5C7', '#E2533F'),
  palette('#1B2410', '#6B7A2A', '#EDE6A6', '#F08A4B'),
  palette('#0C2B2E', '#17837A', '#BFF0D4', '#FF7F6E'),
  palette('#21143D', '#6046B5', '#D8C7FF', '#7FE3D1'),
  palette('#2B1B0E', '#9A6A2B', '#FBE3AE', '#6FB7B0'),
  palette('#0A1426', '#2A3F6E', '#8FB3E8', '#F26D85'),
  palette('#301018', '#C2543F', '#FFD9A0', '#5BC0BE'),
  palette('#12212B', '#4C7F8C', '#F4F0E4', '#F2C14E'),
  palette('#1D0F2E', '#4B2A80', '#FF9BC2', '#FFE08A'),
]

const platformColours: Readonly<Record<string, string>> = {
  Steam: '#1B2838',
  GOG: '#4A2A6B',
  'EA App': '#B4232E',
  'Ubisoft Connect': '#1C4FA1',
  Xbox: '#14712B',
  PlayStation: '#12479E',
  Nintendo: '#C5202C',
  Epic: '#2B2B2E',
  'Battle.net': '#0F5FA8',
  Rockstar: '#B57A0A',
  Microsoft: '#0C6AA6',
  Other: '#3B4150',
}

/** The color of a platform's band. */
export const platformColour = (platform: string): Colour =>
  hex(platformColours[platform] ?? '#3B4150')
