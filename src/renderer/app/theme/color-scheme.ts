import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import type { Settings } from '../../../contract/app/app.ts'

/** Converts the `theme` setting to Mantine's color scheme. */
export function colorSchemeOf(theme: Settings['theme']): MantineColorScheme {
  return theme === 'system' ? 'auto' : theme
}

/** Holds the color scheme in memory only, because the core's settings persist it. */
export function createSchemeManager(): MantineColorSchemeManager {
  let scheme: MantineColorScheme | null = null
  return {
    get: (initial) => scheme ?? initial,
    set: (value) => {
      scheme = value
    },
    subscribe: () => {},
    unsubscribe: () => {},
    clear: () => {
      scheme = null
    },
  }
}
