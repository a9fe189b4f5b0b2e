import { useQuery } from '@tanstack/react-query'
import type { ProductDetail } from '../../../contract/catalogue.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { Dialog } from '../../ui/layout/dialog.tsx'
import styles from './catalogue.module.css'

/** Description, redemption steps, requirements and the cover of a product. */
export function ProductTexts({
  product,
  opened,
  onClose,
}: {
  product: ProductDetail
  opened: boolean
  onClose: () => void
}) {
  const account = useAccount()
  const cover = useQuery({
    ...api.catalogue.cover.queryOptions({
      input: { accountId: account.id, productId: product.productId },
    }),
    enabled: opened && product.hasCover,
  })
  return (
    <Dialog opened={opened} onClose={onClose} title={product.name} closable width={640}>
      <div className={styles.texts}>
        {cover.data == null ? null : (
          <img
            src={`data:${cover.data.contentType};base64,${cover.data.base64}`}
            alt={`Cover of ${product.name}`}
            className={styles.cover}
          />
        )}
        <div>
          <h3>Description</h3>
          <p>{product.description ?? 'Unknown.'}</p>
          <h3>How to redeem</h3>
          <p className={styles.steps}>{product.activationDetails ?? 'Unknown.'}</p>
          {product.genres.length === 0 ? null : (
            <>
              <h3>Genres</h3>
              <p>{product.genres.join(', ')}</p>
            </>
          )}
          {product.systemRequirements.map((each) => (
            <div key={each.system}>
              <h3>{each.system}</h3>
              <ul>
                {each.requirement.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  )
}
