import { create } from 'zustand'
import type { Cents } from '../../../../../server/api/money.ts'

/**
 * A line of the order being composed.
 *
 * @property maxCents The most a unit may cost; null until the price is known and a maximum is
 *   proposed once. A later price doesn't change it.
 * @property seenCents The price at which the maximum was proposed or accepted; null while unknown.
 */
export type BasketLine = {
  productId: string
  qty: number
  maxCents: Cents | null
  seenCents: Cents | null
}

/** Maximum number of lines in one order (Partner API, OrderRequest). */
export const maxLines = 10

type Basket = {
  lines: Record<string, readonly BasketLine[]>
  /**
   * Adds a product, or one more unit of a product in the basket. Returns false when the order is
   * full.
   */
  add: (accountId: string, productId: string) => boolean
  change: (
    accountId: string,
    productId: string,
    change: Partial<Omit<BasketLine, 'productId'>>,
  ) => void
  remove: (accountId: string, productId: string) => void
  /** Replaces the basket's lines, for "Order again". */
  fill: (accountId: string, lines: readonly BasketLine[]) => void
}

/** The lines of the order being composed, by account. Stored as long as the window is open. */
export const useBasket = create<Basket>((set, get) => ({
  lines: {},
  add(accountId, productId) {
    const lines = get().lines[accountId] ?? []
    const known = lines.find((line) => line.productId === productId)
    if (known === undefined && lines.length >= maxLines) return false
    const next =
      known === undefined
        ? [...lines, { productId, qty: 1, maxCents: null, seenCents: null }]
        : lines.map((line) => (line === known ? { ...line, qty: Math.min(9, line.qty + 1) } : line))
    set((state) => ({ lines: { ...state.lines, [accountId]: next } }))
    return true
  },
  change: (accountId, productId, change) =>
    set((state) => ({
      lines: {
        ...state.lines,
        [accountId]: (state.lines[accountId] ?? []).map((line) =>
          line.productId === productId ? { ...line, ...change } : line,
        ),
      },
    })),
  remove: (accountId, productId) =>
    set((state) => ({
      lines: {
        ...state.lines,
        [accountId]: (state.lines[accountId] ?? []).filter((line) => line.productId !== productId),
      },
    })),
  fill: (accountId, lines) => set((state) => ({ lines: { ...state.lines, [accountId]: lines } })),
}))
