import { t } from '../../../contract/localization/localized.ts'
import { formatCents, formatCount } from '../../ui/format.ts'
import { useLocation } from 'wouter'
import type { rpc } from '../../lib/core/rpc.ts'
import { variantLabel } from '../../lib/labels/product-labels.ts'
import styles from './spending.module.css'
import { topProducts } from './top-products.ts'

/** The products on which most was spent in a period. */
export function ProductSpending({
  products,
}: {
  products: Awaited<ReturnType<typeof rpc.spending.spent>>['products']
}) {
  const [, go] = useLocation()
  const { shown, others } = topProducts(products)
  return (
    <section className={styles.section}>
      <h2>
        By product{' '}
        {others === null ? null : (
          <small>
            {t('screens.spending-shown', { shown: shown.length, count: products.length })}
          </small>
        )}
      </h2>
      {products.length === 0 ? (
        <p className={styles.none}>No orders in this period.</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col" className={styles.end}>
                Orders
              </th>
              <th scope="col" className={styles.end}>
                Units
              </th>
              <th scope="col" className={styles.end}>
                Paid EUR
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((product) => (
              <tr key={product.productId}>
                <td>
                  <button
                    type="button"
                    className={styles.product}
                    onClick={() => go(`/catalogue/${encodeURIComponent(product.productId)}`)}
                  >
                    {product.name}
                  </button>{' '}
                  <small>{variantLabel(product)}</small>
                </td>
                <td className={styles.end}>{formatCount(product.orders)}</td>
                <td className={styles.end}>{formatCount(product.units)}</td>
                <td className={styles.end}>
                  <b>{formatCents(product.cents)}</b>
                </td>
              </tr>
            ))}
            {others === null ? null : (
              <tr>
                <td>{t('screens.spending-others', { count: others.count })}</td>
                {/* One order can contain several of them. */}
                <td className={styles.end}>–</td>
                <td className={styles.end}>{formatCount(others.units)}</td>
                <td className={styles.end}>
                  <b>{formatCents(others.cents)}</b>
                </td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </section>
  )
}
