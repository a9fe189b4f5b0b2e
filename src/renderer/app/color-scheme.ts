import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import type { Settings } from '../../contract/app.ts'

/** The setting's word in Mantine's. */
export function schemeOf(theme: Settings['theme']): MantineColorScheme {
  return theme === 'system' ? 'auto' : theme
}

/** Keeps the scheme in memory only: the core's settings are where it is remembered. */
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
