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

/** The order of the groups never changes, so that the eye learns where to look. */
export const groupOrder: readonly GroupName[] = [
  'Products',
  'Your offers',
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
  /** Facts at the right: a price, a state. */
  end?: string
  keys?: readonly string[]
  run: () => void
  /** What can be done to it from here; Tab shows them. */
  actions?: readonly PaletteItem[]
}

/** Words of a query, lower case. */
const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** Whether every word of the query begins a word of the text. */
export function fits(text: string, query: string): boolean {
  const words = text.toLowerCase().split(/[\s–—:·-]+/)
  return wordsOf(query).every((part) => words.some((word) => word.startsWith(part)))
}

export interface Piece {
  text: string
  hit: boolean
}

/**
 * Cuts a name where the words of the query (or those it was taken for) begin a word of it, to show
 * them in bold.
 */
export function pieces(text: string, query: string): Piece[] {
  const parts = wordsOf(query)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .sort((a, b) => b.length - a.length)
  if (parts.length === 0) return [{ text, hit: false }]
  return text
    .split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${parts.join('|')}))`, 'giu'))
    .map((piece, index) => ({ text: piece, hit: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}

/** A row of the list that is shown: which, and where it was. */
export interface Place {
  id: string
  index: number
}

/** The place of a row; null when there is none. */
export function placeOf(items: readonly PaletteItem[], index: number): Place | null {
  const item = items[index]
  return item === undefined ? null : { id: item.id, index }
}

/**
 * Where the row of a place is now. One that is gone leaves its place to the next, so that a list
 * that changes never throws the reader back to its top.
 */
export function indexIn(items: readonly PaletteItem[], at: Place | null): number {
  if (at === null) return 0
  const now = items.findIndex(({ id }) => id === at.id)
  return now >= 0 ? now : Math.max(0, Math.min(at.index, items.length - 1))
}
