import type { Icon } from '@tabler/icons-react'

export type GroupName =
  | 'Products'
  | 'Your offers'
  | 'Sales'
  | 'Orders'
  | 'Keys'
  | 'Claims'
  | 'Disputes'
  | 'Actions'
  | 'Pages'

/** The order of the groups never changes, so that people learn where to look. */
export const groupOrder: readonly GroupName[] = [
  'Your offers',
  'Products',
  'Sales',
  'Orders',
  'Keys',
  'Claims',
  'Disputes',
  'Actions',
  'Pages',
]

export interface PaletteItem {
  id: string
  group: GroupName
  icon: Icon
  name: string
  detail?: string
  /** Details on the right, such as a price or a state. */
  end?: string
  keys?: readonly string[]
  run: () => void
  /** Actions on this item; Tab shows them. */
  actions?: readonly PaletteItem[]
}

/** The words of a query in lower case. */
const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** Whether every word of the query is a prefix of a word of the text. */
export function matches(text: string, query: string): boolean {
  const words = text.toLowerCase().split(/[\s–—:·-]+/)
  return wordsOf(query).every((part) => words.some((word) => word.startsWith(part)))
}

export interface NamePart {
  text: string
  hit: boolean
}

/**
 * Splits a name where query words (or their corrected spellings) match the start of a word, to show
 * those parts in bold.
 */
export function splitName(text: string, query: string): NamePart[] {
  const parts = wordsOf(query)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .sort((a, b) => b.length - a.length)
  if (parts.length === 0) return [{ text, hit: false }]
  return text
    .split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${parts.join('|')}))`, 'giu'))
    .map((piece, index) => ({ text: piece, hit: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}

/** A row of the visible list: its id and its index. */
export interface RowPosition {
  id: string
  index: number
}

/** The position of a row; null when there is no row. */
export function positionOf(items: readonly PaletteItem[], index: number): RowPosition | null {
  const item = items[index]
  return item === undefined ? null : { id: item.id, index }
}

/**
 * The current index of the row at a position. If the row is gone, the next one takes its index, so
 * that a changing list never moves the selection back to the top.
 */
export function indexIn(items: readonly PaletteItem[], at: RowPosition | null): number {
  if (at === null) return 0
  const now = items.findIndex(({ id }) => id === at.id)
  return now >= 0 ? now : Math.max(0, Math.min(at.index, items.length - 1))
}
