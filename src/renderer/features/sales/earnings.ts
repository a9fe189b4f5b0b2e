export interface EarnedBar {
  from: number
  releasedCents: number
  pendingCents: number
  heldCents: number
  refundedCents: number
  sales: number
}

export interface EarnedProduct {
  productId: string | null
  name: string
  cents: number
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
