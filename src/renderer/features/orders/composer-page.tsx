import { useMutation, useQuery } from '@tanstack/react-query'
import { IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { OrderAttempt } from '../../../contract/orders.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatEur } from '../../ui/format.ts'
import { ModeBadge } from '../../ui/mode-badge.tsx'
import { ModeBar } from '../../ui/offline-bar.tsx'
import { Body, Page, PageHeader } from '../../ui/page.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { toast, toastProblem } from '../../ui/toasts.tsx'
import { useBasket } from './basket.ts'
import type { BasketLine } from './basket.ts'
import { ComposerLines } from './composer-lines.tsx'
import { ComposerRail } from './composer-rail.tsx'
import { composed } from './composed.ts'
import { OpenAttempts } from './open-attempts.tsx'
import styles from './orders.module.css'
import { ProductPicker } from './product-picker.tsx'
import { nextStep } from './next-step.ts'
import type { NextStep } from './next-step.ts'
import { Refusal } from './refusal.tsx'
import { TableDialog } from './table-dialog.tsx'

/**
 * Composes an order and places it: lines, units, maximum prices, highest possible cost, and the
 * remaining balance.
 */
export function ComposerPage() {
  const account = useAccount()
  const [, go] = useLocation()
  const basket = useBasket()
  const lines = basket.lines[account.id] ?? []
  const quote = useQuery(
    api.orders.quote.queryOptions({
      input: { accountId: account.id, productIds: lines.map((line) => line.productId) },
    }),
  )
  const [reference, setReference] = useState<string | null>(null)
  const [waits, setWaits] = useState(true)
  const [refused, setRefused] = useState<OrderAttempt | null>(null)
  const [country, setCountry] = useState<string | null>(null)
  const [table, setTable] = useState(false)
  const order = composed(lines, quote.data, country)
  const externalId = reference ?? quote.data?.proposedExternalId ?? ''

  const place = useMutation(
    api.orders.place.mutationOptions({
      onSuccess: (attempt) => {
        if (attempt.state === 'refused') {
          void quote.refetch()
          return setRefused(attempt)
        }
        setReference(null)
        basket.fill(account.id, [])
        if (attempt.state === 'placed' && attempt.orderId !== null) {
          toast({
            title: `Order ${attempt.externalId} placed`,
            text:
              attempt.chargedCents === null
                ? 'The order shows the amount charged.'
                : `${formatEur(attempt.chargedCents)} charged, once.`,
          })
          return go(`/orders/${attempt.orderId}`)
        }
        toast({
          kind: 'waits',
          title: `${attempt.externalId} may or may not have arrived`,
          text: 'Keydesk asks again with the same key and never orders twice.',
        })
        go('/orders')
      },
      onError: (error) => toastProblem(problemOf(error)),
    }),
  )
  const canPlace = order.ready && /^[A-Za-z0-9._:-]{1,100}$/.test(externalId) && !place.isPending
  const send = (wanted: readonly BasketLine[]): void => {
    setRefused(null)
    place.mutate({
      accountId: account.id,
      externalId,
      waitSeconds: waits ? 25 : 0,
      lines: wanted.map((line) => ({
        productId: line.productId,
        qty: line.qty,
        maxUnitCents: line.maxCents ?? 0,
      })),
    })
  }
  const submit = (): void => {
    if (canPlace) send(order.lines)
  }
  const step =
    refused?.problem == null
      ? null
      : nextStep(refused.problem, order.lines, quote.data?.spent24hCents ?? 0)
  const follow = (next: NextStep): void => {
    if (next.kind === 'order' || next.kind === 'lines') basket.fill(account.id, next.lines)
    if (next.kind === 'order') return send(next.lines)
    if (next.kind === 'again') return send(order.lines)
    setRefused(null)
    if (next.kind === 'open-order') go(`/orders/${next.orderId}`)
    if (next.kind === 'balance') go('/balance')
    if (next.kind === 'account') go('/settings')
    if (next.kind === 'look') go('/orders')
    if (next.kind === 'new-reference') {
      setReference(null)
      void quote.refetch()
    }
  }
  useShortcut('Ctrl+Enter', submit)
  useShortcut('M', () => setTable(true))

  return (
    <Page
      panel={
        lines.length === 0 ? undefined : (
          <ComposerRail
            order={order}
            quote={quote.data}
            reference={externalId}
            onReference={setReference}
            waits={waits}
            onWaits={setWaits}
            country={country}
            onCountry={setCountry}
            canPlace={canPlace}
            placing={place.isPending}
            onPlace={submit}
          />
        )
      }
    >
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
              <Button
                kind="quiet"
                onClick={() => {
                  basket.fill(account.id, [])
                  setRefused(null)
                }}
              >
                Discard
              </Button>
            )}
            <Button
              keys={['M']}
              icon={<IconTable size={16} stroke={1.6} />}
              onClick={() => setTable(true)}
            >
              Order from a table…
            </Button>
          </>
        }
      />
      {account.mode === 'live' ? null : (
        <ModeBar
          badge={<ModeBadge mode={account.mode} />}
          tone={account.mode === 'sandbox' ? 'sandbox' : 'warn'}
        >
          {account.mode === 'test' ? (
            <>
              <b>A test order.</b> Real catalogue and prices, but no money moves. Every key starts
              with <code>TEST-</code>
            </>
          ) : (
            <>
              <b>A sandbox order.</b> Simulated money and keys from the marketplace on this
              computer. Nothing leaves it.
            </>
          )}
        </ModeBar>
      )}
      <OpenAttempts />
      <Body>
        {refused === null || step === null ? null : (
          <Refusal attempt={refused} step={step} onStep={follow} />
        )}
        {quote.isError ? (
          <ErrorState problem={problemOf(quote.error)} onRetry={() => void quote.refetch()} />
        ) : (
          <>
            {lines.length === 0 ? null : <ComposerLines order={order} />}
            <ProductPicker full={lines.length >= 10} autoFocus={lines.length === 0} />
            {lines.length === 0 ? (
              <EmptyState
                title="No products on this order yet"
                text="Add a product above, or add products from the catalogue."
                actions={<Button onClick={() => go('/catalogue')}>Open catalogue</Button>}
              />
            ) : (
              <p className={styles.help}>
                Your maximum is today’s price plus 1 %. If the price is higher when you order, the
                order is rejected and nothing is charged. If it’s lower, you pay the lower price.
              </p>
            )}
          </>
        )}
        <TableDialog opened={table} onClose={() => setTable(false)} />
      </Body>
    </Page>
  )
}
