import type { Cents } from '../../../../../server/api/money.ts'
export interface EarnedBar {
  from: number
  releasedCents: Cents
  pendingCents: Cents
  heldCents: Cents
  refundedCents: Cents
  sales: number
}

export interface EarnedProduct {
  productId: string | null
  name: string
  cents: Cents
  sales: number
}

export interface EarnedChartProps {
  bars: readonly EarnedBar[]
  products: readonly EarnedProduct[]
  byMonth: boolean
  /** The bar to highlight for the chosen release day: its sales are released then. */
  litFrom: number | null
  onBar: (from: number) => void
  onProduct: (product: { productId: string; name: string }) => void
}
