import { create } from 'zustand'
import type { Cents } from '../../../../../server/api/money.ts'

/**
 * A line of the order being composed.
 *
 * @property id Identifies the line, because several lines can have the same product.
 * @property maxCents The most a unit may cost; null until the price is known and a maximum is
 *   proposed once. A later price doesn't change it.
 * @property seenCents The price at which the maximum was proposed or accepted; null while unknown.
 */
export type BasketLine = {
  id: number
  productId: string
  qty: number
  maxCents: Cents | null
  seenCents: Cents | null
}

/** Maximum number of lines in one order, and of units in one line (Partner API, OrderRequest). */
export const maxLines = 10
export const maxUnits = 9

/** `full`: the order has {@link maxLines} lines; `most-units`: the line has {@link maxUnits}. */
export type Added = 'added' | 'full' | 'most-units'

/** `placing`: a line is being ordered, so that it can't be ordered again yet. */
type Undone = 'restored' | 'placing' | 'too-many'

type Basket = {
  lines: Record<string, readonly BasketLine[]>
  /** The ids of lines whose order was sent and isn't settled yet. */
  placing: ReadonlySet<number>
  beginPlacing: (lineIds: readonly number[]) => void
  endPlacing: (lineIds: readonly number[]) => void
  /** Adds a product, or one more unit of a product in the basket. */
  add: (accountId: string, productId: string) => Added
  change: (
    accountId: string,
    lineId: number,
    change: Partial<Omit<BasketLine, 'id' | 'productId'>>,
  ) => void
  remove: (accountId: string, lineId: number) => void
  /** Sets the lines of the same order, such as with fewer units. */
  fill: (accountId: string, lines: readonly BasketLine[]) => void
  /** Removes the lines of a placed order; {@link replace} never brings them back. */
  removePlaced: (accountId: string, lineIds: readonly number[]) => void
  /**
   * Replaces the order by another one, or by none. Returns its undo, which brings the previous
   * lines back and keeps lines added since. It changes nothing while one of them is being ordered, or
   * if the order would have too many lines.
   */
  replace: (accountId: string, lines: readonly BasketLine[]) => () => Undone
}

let lastId = 0
const placedIds = new Set<number>()

/** A line without a maximum, which is proposed when the price is known. */
export function newLine(productId: string, qty: number): BasketLine {
  lastId += 1
  return { id: lastId, productId, qty, maxCents: null, seenCents: null }
}

/** The lines of the order being composed, by account. Stored as long as the window is open. */
export const useBasket = create<Basket>((set, get) => ({
  lines: {},
  placing: new Set(),
  beginPlacing: (lineIds) => set(({ placing }) => ({ placing: new Set([...placing, ...lineIds]) })),
  endPlacing: (lineIds) =>
    set(({ placing }) => ({ placing: placing.difference(new Set(lineIds)) })),
  add(accountId, productId) {
    const { lines: all, placing } = get()
    const lines = all[accountId] ?? []
    const known = lines.filter((line) => line.productId === productId && !placing.has(line.id))
    const open = known.find(({ qty }) => qty < maxUnits)
    if (open === undefined && known.length > 0) return 'most-units'
    if (open === undefined && lines.length >= maxLines) return 'full'
    const next =
      open === undefined
        ? [...lines, newLine(productId, 1)]
        : lines.map((line) => (line === open ? { ...line, qty: line.qty + 1 } : line))
    set((state) => ({ lines: { ...state.lines, [accountId]: next } }))
    return 'added'
  },
  change: (accountId, lineId, change) =>
    set((state) => ({
      lines: {
        ...state.lines,
        [accountId]: (state.lines[accountId] ?? []).map((line) =>
          line.id === lineId ? { ...line, ...change } : line,
        ),
      },
    })),
  remove: (accountId, lineId) =>
    set((state) => ({
      lines: {
        ...state.lines,
        [accountId]: (state.lines[accountId] ?? []).filter((line) => line.id !== lineId),
      },
    })),
  fill: (accountId, lines) => set((state) => ({ lines: { ...state.lines, [accountId]: lines } })),
  removePlaced(accountId, lineIds) {
    for (const id of lineIds) placedIds.add(id)
    get().fill(
      accountId,
      (get().lines[accountId] ?? []).filter(({ id }) => !placedIds.has(id)),
    )
  },
  replace(accountId, lines) {
    const before = get().lines[accountId] ?? []
    const newIds = new Set(lines.map(({ id }) => id))
    get().fill(accountId, lines)
    return () => {
      if (before.some(({ id }) => get().placing.has(id))) return 'placing'
      const restored = [
        ...before.filter(({ id }) => !placedIds.has(id)),
        ...(get().lines[accountId] ?? []).filter(({ id }) => !newIds.has(id)),
      ]
      if (restored.length > maxLines) return 'too-many'
      get().fill(accountId, restored)
      return 'restored'
    }
  },
}))
