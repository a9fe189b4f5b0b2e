import type { CSSProperties } from 'react'

/** A style object with one CSS variable. React's style type allows only standard properties. */
export function cssVariable(name: `--kd-${string}`, value: string): CSSProperties {
  const style: Record<string, string> = { [name]: value }
  return style
}
