import { IconTable } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { ModeBadge } from '../../../ui/data-display/identity/mode-badge.tsx'
import { ModeBar } from '../../../ui/feedback/offline-bar.tsx'
import { Body, Page, PageHeader } from '../../../ui/layout/page.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { ComposerLines } from './composer-lines.tsx'
import { ComposerRail } from './composer-rail.tsx'
import { UnconfirmedOrders } from '../unconfirmed-orders.tsx'
import styles from '../orders.module.css'
import { ProductPicker } from './product-picker.tsx'
import { RejectionNotice } from './rejection-notice.tsx'
import { TableDialog } from '../bulk/table-dialog.tsx'
import { useTableDrafts } from '../bulk/table-draft.ts'
import { useComposer } from './use-composer.ts'

/**
 * Composes an order and places it: lines, units, maximum prices, highest possible cost, and the
 * remaining balance.
 */
export function ComposerPage() {
  const [, go] = useLocation()
  const account = useAccount()
  const openTable = useTableDrafts((drafts) => drafts.open)
  const { lines, quote, rail, rejection, wait, onWrong, follow, discard } = useComposer()
  useShortcut('Ctrl+Enter', rail.onPlace)
  useShortcut('Alt+M', () => openTable(account.id))

  return (
    <Page panel={lines.length === 0 ? undefined : <ComposerRail {...rail} />}>
      <PageHeader
        before={
          <Link href="/orders" className={styles.crumb}>
            Orders<span aria-hidden>›</span>
          </Link>
        }
        title="New order"
        actions={
          <>
            {lines.length === 0 ? null : (
              <Button kind="quiet" disabled={rail.placing} onClick={discard}>
                Discard
              </Button>
            )}
            <Button
              keys={['Alt', 'M']}
              icon={<IconTable size={16} stroke={1.6} />}
              onClick={() => openTable(account.id)}
            >
              Order from a table…
            </Button>
          </>
        }
      />
      <OrderModeBar />
      <UnconfirmedOrders />
      <Body>
        {rejection === null ? null : <RejectionNotice {...rejection} onStep={follow} />}
        {quote.isError ? (
          <ErrorState problem={problemOf(quote.error)} onRetry={() => void quote.refetch()} />
        ) : (
          <>
            {lines.length === 0 ? null : (
              <ComposerLines
                order={rail.order}
                rejectedLineId={rejection?.line?.id ?? null}
                wait={wait}
                onWrong={onWrong}
              />
            )}
            <ProductPicker full={lines.length >= 10} autoFocus={lines.length === 0} />
            {lines.length === 0 ? (
              <EmptyState
                title="No products on this order yet"
                text="Add a product above, or add products from the catalogue."
                actions={<Button onClick={() => go('/catalogue')}>Open catalogue</Button>}
              />
            ) : (
              <p className={styles.help}>
                Your maximum is the price when you added the product, plus 1 %. It doesn’t follow
                the price. If the price is higher when you order, the order is rejected and nothing
                is charged. If it’s lower, you pay the lower price.
              </p>
            )}
          </>
        )}
        <TableDialog />
      </Body>
    </Page>
  )
}

function OrderModeBar() {
  const { mode } = useAccount()
  if (mode === 'live') return null
  return (
    <ModeBar badge={<ModeBadge mode={mode} />} tone={mode === 'sandbox' ? 'sandbox' : 'warn'}>
      {mode === 'test' ? (
        <>
          <b>A test order.</b> Real catalogue and prices, but no money moves. Every key starts with{' '}
          <code>TEST-</code>
        </>
      ) : (
        <>
          <b>A sandbox order.</b> Simulated money and keys from the marketplace on this computer.
          Nothing leaves it.
        </>
      )}
    </ModeBar>
  )
}
