import type { CSSProperties } from 'react'

/**
 * A style that sets one CSS variable; React's type of styles knows only the standard properties.
 */
export function cssVariable(name: `--kd-${string}`, value: string): CSSProperties {
  const style: Record<string, string> = { [name]: value }
  return style
}
