import { useQuery } from '@tanstack/react-query'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { ProductDetail } from '../../../contract/catalogue.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { ServiceMoment } from '../../lib/account/account-time.tsx'
import { problemOf } from '../../lib/core/problem.ts'
import { deliveryTypeLabel, productTypeLabel } from '../../lib/labels/product-labels.ts'
import { api } from '../../lib/core/rpc.ts'
import { IconButton, LinkButton } from '../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Fact, Facts } from '../../ui/data-display/facts.tsx'
import { formatDay, formatMoment } from '../../ui/format.ts'
import { PanelSection, SidePanel } from '../../ui/layout/page.tsx'
import { PriceChart } from '../../ui/charts/price-chart.tsx'
import { Activation } from './activation.tsx'
import { BuyActions, SellActions } from './product-actions.tsx'
import { ProductTexts } from './product-texts.tsx'
import styles from './catalogue.module.css'

export interface ProductPanelProps {
  productId: string
  /** The customer's country chosen in the filter. */
  country: string | null
  onClose: () => void
  onStep: (by: 1 | -1) => void
}

/**
 * The details of one product: the decision first, then price history, activation and facts, with
 * their sources.
 */
export function ProductPanel({ productId, country, onClose, onStep }: ProductPanelProps) {
  const account = useAccount()
  const product = useQuery(
    api.catalogue.product.queryOptions({ input: { accountId: account.id, productId } }),
  )
  const [texts, setTexts] = useState(false)
  const { data } = product
  const actions = <StepButtons onStep={onStep} />
  if (data === undefined) {
    return (
      <SidePanel title="Product" actions={actions} onClose={onClose}>
        {product.isError ? (
          <ErrorState problem={problemOf(product.error)} onRetry={() => void product.refetch()} />
        ) : null}
      </SidePanel>
    )
  }
  return (
    <SidePanel
      title={data.name}
      actions={actions}
      onClose={onClose}
      detail={
        <>
          {[
            data.platform,
            data.region,
            productTypeLabel(data.productType),
            deliveryTypeLabel(data.deliveryType).toLowerCase(),
          ].join(' · ')}{' '}
          · <span className="kd-mono">{data.productId}</span>
        </>
      }
    >
      {account.role === 'seller' ? (
        <SellActions key={data.productId} product={data} />
      ) : (
        <BuyActions product={data} />
      )}
      <History product={data} />
      <PanelSection title="Activation">
        <Activation product={data} country={country} />
      </PanelSection>
      <PanelSection
        title="Product"
        aside={<LinkButton onClick={() => setTexts(true)}>Texts and images</LinkButton>}
      >
        <ProductFacts product={data} showStock={account.role === 'partner'} />
      </PanelSection>
      <PanelSection>
        <p className={styles.source}>{sourceOf(data)}</p>
      </PanelSection>
      <ProductTexts product={data} opened={texts} onClose={() => setTexts(false)} />
    </SidePanel>
  )
}

function StepButtons({ onStep }: Pick<ProductPanelProps, 'onStep'>) {
  return (
    <>
      <IconButton label="Previous product" onClick={() => onStep(-1)}>
        <IconChevronUp size={16} stroke={1.6} />
      </IconButton>
      <IconButton label="Next product" onClick={() => onStep(1)}>
        <IconChevronDown size={16} stroke={1.6} />
      </IconButton>
    </>
  )
}

/** @param showStock - False for sellers, because their API doesn't report the service's stock. */
function ProductFacts({
  product: data,
  showStock,
}: {
  product: ProductDetail
  showStock: boolean
}) {
  return (
    <Facts>
      {showStock ? (
        <Fact label="In stock">
          {data.inStock === false
            ? 'No'
            : data.qty === null
              ? 'unknown'
              : data.qty >= 99
                ? '99 or more'
                : data.qty}
        </Fact>
      ) : null}
      <Fact label="Publisher">{data.publisher ?? 'unknown'}</Fact>
      <Fact label="Released">
        {data.releaseDate === null ? 'unknown' : formatDay(Date.parse(data.releaseDate))}
      </Fact>
      <Fact label="Languages">
        {data.languages.length === 0
          ? 'unknown'
          : [
              ...data.languages.slice(0, 4),
              ...(data.languages.length > 4 ? [`+${data.languages.length - 4}`] : []),
            ].join(', ')}
      </Fact>
      <Fact label="Updated by the service">
        {data.updatedAt === null ? 'unknown' : <ServiceMoment at={data.updatedAt} />}
      </Fact>
    </Facts>
  )
}

function History({ product }: { product: ProductDetail }) {
  const { role } = useAccount()
  const now = Date.now()
  const [first] = product.history
  if (first === undefined) return null
  if (product.history.length < 2)
    return (
      <PanelSection
        title={role === 'seller' ? 'Shop price' : 'Price'}
        aside={`recorded since ${formatMoment(first.at, now)}`}
      />
    )
  return (
    <PanelSection title={role === 'seller' ? 'Shop price' : 'Price'}>
      <PriceChart
        label={`Price history of ${product.name}`}
        from={first.at}
        to={now}
        line={{
          name: role === 'seller' ? 'Shop' : 'Price',
          tone: 'other',
          points: product.history.map((point) => ({
            at: point.at,
            cents: point.inStock ? point.priceCents : null,
          })),
        }}
        note={`Recorded since ${formatDay(first.at)}. Gray: out of stock.`}
      />
    </PanelSection>
  )
}

function sourceOf(product: ProductDetail): string {
  const age =
    product.readAt === null ? '' : ` Last synced ${formatMoment(product.readAt, Date.now())}.`
  if (product.detailsFrom !== null)
    return `Stock, activation and texts come from the partner account ${product.detailsFrom.name}.${age}`
  return product.description === null && product.excludedCountries === null
    ? `Stock, activation and texts are available only with a partner account of the same service.${age}`
    : age.trim()
}
