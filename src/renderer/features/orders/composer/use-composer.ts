import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ZERO } from '../../../../../server/api/money.ts'
import type { OrderAttempt } from '../../../../contract/order-records.ts'
import { rejectedLineOf } from '../../../../contract/rejected-line.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { useSendingBlock } from '../../../lib/account/sending-block.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { api } from '../../../lib/core/rpc.ts'
import { formatEur } from '../../../ui/format.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { pageAfterPlacing } from './after-placing.ts'
import { useBasket } from './basket.ts'
import type { BasketLine } from './basket.ts'
import { composeOrder, withProposals } from './compose-order.ts'
import type { ComposedLine } from './compose-order.ts'
import type { ComposerRailProps } from './composer-rail.tsx'
import { changedPriceOf, fitTo, nextStep } from './next-step.ts'
import type { NextStep } from './next-step.ts'
import { replaceDraft } from './replace-draft.ts'
import { usePriceWait } from './use-price-wait.ts'
import { useWrongMaximums } from './use-wrong-maximums.ts'

/** How often the prices of an order being composed are requested, in milliseconds. */
const quotedEveryMs = 20_000

/** A rejected order, and the ids of the lines that it was placed with. */
type Refused = { attempt: OrderAttempt; lineIds: readonly number[] }

const noLines: readonly BasketLine[] = []

/** The order being composed: its lines and options, placing it, and what follows a rejection. */
export function useComposer() {
  const account = useAccount()
  const [, go] = useLocation()
  const basket = useBasket()
  const lines = basket.lines[account.id] ?? noLines
  const quote = useQuery({
    ...api.orders.quote.queryOptions({
      input: { accountId: account.id, productIds: lines.map((line) => line.productId) },
    }),
    staleTime: 0,
    refetchInterval: lines.length === 0 ? false : quotedEveryMs,
  })
  const { fill } = basket
  useEffect(() => {
    const proposed = withProposals(lines, quote.data)
    if (proposed !== lines) fill(account.id, proposed)
  }, [lines, quote.data, fill, account.id])
  const [reference, setReference] = useState<string | null>(null)
  const [waits, setWaits] = useState(true)
  const [refused, setRefused] = useState<Refused | null>(null)
  const [country, setCountry] = useState<string | null>(null)
  const order = composeOrder(lines, quote.data, country)
  const wait = usePriceWait(order.lines, quote.dataUpdatedAt)
  const externalId = reference ?? quote.data?.proposedExternalId ?? ''
  const isComposing = useRef(false)
  useEffect(() => {
    isComposing.current = true
    return () => {
      isComposing.current = false
    }
  }, [])

  const place = useMutation(
    api.orders.place.mutationOptions({
      onMutate: (): readonly number[] => {
        const lineIds = order.lines.map(({ id }) => id)
        basket.beginPlacing(lineIds)
        return lineIds
      },
      onSuccess: (attempt, _input, lineIds) => {
        if (attempt.state === 'refused') {
          if (!isComposing.current && attempt.problem !== null)
            toastProblem(attempt.problem, attempt.externalId)
          void quote.refetch()
          return setRefused({ attempt, lineIds })
        }
        setReference(null)
        basket.removePlaced(account.id, lineIds)
        const page = pageAfterPlacing(attempt, isComposing.current)
        if (page !== null) go(page)
        if (attempt.state === 'placed' && attempt.orderId !== null)
          return void toast({
            title: `Order ${attempt.externalId} placed`,
            text:
              attempt.chargedCents === null
                ? 'The order shows the amount charged.'
                : `${formatEur(attempt.chargedCents)} charged, once.`,
          })
        toast({
          kind: 'waits',
          title: `Order ${attempt.externalId} not confirmed`,
          text: 'The response was lost. Keydesk asks again with the same key and never orders twice.',
        })
      },
      onError: (error) => toastProblem(problemOf(error), externalId),
      onSettled: (_attempt, _error, _input, lineIds) => basket.endPlacing(lineIds ?? []),
    }),
  )
  // Also by a composer that was left before the response.
  const placing = place.isPending || lines.some(({ id }) => basket.placing.has(id))
  const sendingBlock = useSendingBlock()
  const wrong = useWrongMaximums()
  const wrongLine = order.lines.find(({ id }) => wrong.has(id))
  const blocked = sendingBlock ?? (wrongLine === undefined ? null : wrongMaximumOf(wrongLine))
  const canPlace =
    blocked === null && order.ready && /^[A-Za-z0-9._:-]{1,100}$/.test(externalId) && !placing
  const send = (wanted: readonly BasketLine[]): void => {
    setRefused(null)
    place.mutate({
      accountId: account.id,
      externalId,
      waitSeconds: waits ? 25 : 0,
      lines: wanted.map((line) => ({
        productId: line.productId,
        qty: line.qty,
        maxUnitCents: line.maxCents ?? ZERO,
      })),
    })
  }
  const submit = (): void => {
    if (canPlace) send(order.lines)
  }
  const problem = refused?.attempt.problem ?? null
  const refusedLine = refused === null ? null : lineOf(refused, order.lines)
  const step =
    problem === null
      ? null
      : nextStep(problem, order.lines, quote.data?.spent24hCents ?? ZERO, refusedLine)
  const follow = (next: NextStep): void => {
    if (next.kind === 'lines') basket.fill(account.id, next.lines)
    if (next.kind === 'again') return submit()
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
  const balance = quote.data?.balanceCents ?? null
  const fitting = balance === null ? null : fitTo(order.lines, balance)
  const rail: ComposerRailProps = {
    order,
    quote: quote.data,
    reference: externalId,
    onReference: setReference,
    waits,
    onWaits: setWaits,
    country,
    onCountry: setCountry,
    canPlace,
    blocked,
    placing,
    onPlace: submit,
    onFit: fitting === null ? null : () => basket.fill(account.id, fitting),
    onTopUp: () => go('/balance'),
  }
  const discard = (): void => {
    replaceDraft(account.id, [], 'Order draft discarded')
    setRefused(null)
  }
  const keepMaximum = (): void => {
    setRefused(null)
    if (refusedLine !== null) wait.begin(refusedLine.id)
  }
  const isMoved = problem !== null && changedPriceOf(problem) !== null
  const rejection =
    refused === null || step === null
      ? null
      : {
          attempt: refused.attempt,
          step,
          blocked,
          line: refusedLine,
          onWait: isMoved && refusedLine !== null ? keepMaximum : null,
        }
  return { lines, quote, rail, rejection, wait, onWrong: wrong.mark, follow, discard }
}

/** Why an order can't be placed while the maximum of this line isn't a price. */
const wrongMaximumOf = ({ product, productId }: ComposedLine): string =>
  `Correct the maximum price of ${product === null ? productId : productLine(product)}.`

/** The line that an order was rejected for, if the service named one that is still in the order. */
function lineOf(
  { attempt: { problem, lines: sent }, lineIds }: Refused,
  lines: readonly ComposedLine[],
): ComposedLine | null {
  const at = problem === null ? null : rejectedLineOf(problem, sent)
  return at === null ? null : (lines.find(({ id }) => id === lineIds[at]) ?? null)
}
