import { IconAlertTriangle } from '@tabler/icons-react'
import { formatCount } from './format.ts'
import styles from './stock.module.css'

export interface StockProps {
  count: number
  lowAt: number
  quiet?: boolean
}

const isLow = ({ count, lowAt, quiet = false }: StockProps): boolean =>
  !quiet && count > 0 && count <= lowAt

/** The class of what shows a stock. */
export function stockLook(stock: StockProps): string | undefined {
  if (isLow(stock)) return styles.low
  return stock.count === 0 && stock.quiet !== true ? styles.empty : styles.stock
}

/** What is said of a stock: text alone, but for a low one. */
export function stockSays(stock: StockProps) {
  const text = stock.count === 0 ? 'Empty' : formatCount(stock.count)
  return isLow(stock) ? (
    <>
      <IconAlertTriangle size={14} stroke={1.6} aria-label="Low" />
      {text}
    </>
  ) : (
    text
  )
}

/**
 * Stock of an own offer: plain, amber with a triangle when low, "Empty" in red at zero. `quiet` for
 * paused or stale rows. In a table the cell itself takes {@link stockLook}.
 */
export function Stock(props: StockProps) {
  return <span className={stockLook(props)}>{stockSays(props)}</span>
}
