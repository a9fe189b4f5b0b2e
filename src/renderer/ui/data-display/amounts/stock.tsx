import { IconAlertTriangle } from '@tabler/icons-react'
import { formatCount } from '../../format.ts'
import styles from './stock.module.css'

export interface StockProps {
  count: number
  lowAt: number
  quiet?: boolean
}

const isLow = ({ count, lowAt, quiet = false }: StockProps): boolean =>
  !quiet && count > 0 && count <= lowAt

/** The class of an element that shows a stock. */
export function stockClass(stock: StockProps): string | undefined {
  if (isLow(stock)) return styles.low
  return stock.count === 0 && stock.quiet !== true ? styles.empty : styles.stock
}

/** The text of a stock; low stock also gets an icon. */
export function stockText(stock: StockProps) {
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
 * Stock of an own offer: plain, amber with a triangle when low, red "Empty" at zero. `quiet` is for
 * paused or stale rows. In a table, the cell itself uses {@link stockClass}.
 */
export function Stock(props: StockProps) {
  return <span className={stockClass(props)}>{stockText(props)}</span>
}
