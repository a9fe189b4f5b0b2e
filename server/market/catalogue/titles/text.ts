import { groupThousands } from '../../../api/money.ts'
import type { SeededRandom } from '../../random.ts'

/** Inserts values into a template's `{name}` placeholders. Throws if a value is missing. */
export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`No value for "${name}" in the template: ${template}`)
    return value
  })

/** The text with a capital first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** One template of each group, filled and joined to a paragraph. */
export const paragraph = (
  random: SeededRandom,
  groups: readonly (readonly string[])[],
  values: Readonly<Record<string, string>>,
): string => groups.map((group) => fill(random.pick(group), values)).join(' ')

/** A number with commas between thousands, as in "1,200". */
export const grouped = (amount: number): string => groupThousands(String(amount))
