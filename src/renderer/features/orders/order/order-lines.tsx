import { timesCents } from '../../../../../server/api/money.ts'
import type { OrderDetail } from '../../../../contract/order-records.ts'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { Money } from '../../../ui/data-display/amounts/money.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import styles from '../orders.module.css'
import { variantLabel } from '../../../lib/labels/product-labels.ts'

const lineLabels: Record<string, string> = {
  processing: 'Being delivered',
  completed: 'Delivered',
  failed: 'Not delivered',
}

/** The lines of an order whose keys aren't stored on this computer. */
export function OrderLines({ order }: { order: OrderDetail }) {
  return (
    <>
      <div className={styles.section}>
        <h2>Lines</h2>
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col" className={styles.end}>
              Units
            </th>
            <th scope="col" className={styles.end}>
              Unit price EUR
            </th>
            <th scope="col" className={styles.end}>
              Total
            </th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {order.items.map((item) => (
            <tr key={item.line}>
              <td>
                <NameCell name={item.name} detail={variantLabel(item)} />
              </td>
              <td className={styles.end}>{item.qty}</td>
              <td className={styles.end}>
                <Money cents={item.unitCents} />
              </td>
              <td className={styles.end}>
                <Money cents={timesCents(item.unitCents, item.qty)} strong />
              </td>
              <td>
                <span className={styles.lineStatus}>
                  {item.status === 'completed' ? (
                    <Mark kind="ok" />
                  ) : item.status === 'failed' ? (
                    <Mark kind="bad" />
                  ) : null}
                  {item.deliveredQty > 0 && item.deliveredQty < item.qty
                    ? `${item.deliveredQty} of ${item.qty} delivered`
                    : (lineLabels[item.status] ?? item.status)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
