import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { OutboxKind } from '../../contract/outbox.ts'
import { failure } from '../failure.ts'
import { createAccountScopes, defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import type { PollLoop } from '../mirror/mirror.ts'
import { createComparing } from './compare/comparing.ts'
import type { OutboxContext } from './context.ts'
import type { OutboxHandler } from './handler.ts'
import type { Outbox } from './outbox.ts'
import { createSending } from './send/sending.ts'

type Inputs = InferContractRouterInputs<Contract['outbox']>
type Outputs = InferContractRouterOutputs<Contract['outbox']>

type Handlers<Kind extends OutboxKind> = Readonly<Record<Kind, OutboxHandler>>
type Needs = {
  outbox: Outbox
  offers: { outboxHandlers: Handlers<'offer-price' | 'offer-status' | 'offer-new'> }
  disputes: { outboxHandlers: Handlers<'dispute-answer'> }
}

/**
 * Compares queued changes with the service as soon as it responds, and sends them on a person's
 * approval.
 */
function createOutboxSender(
  context: OutboxContext,
  { outbox, offers, disputes }: Needs,
  scope: Scope,
) {
  const { storeOf, flightsOf, textOf, toEntry } = outbox
  const handlers: Handlers<OutboxKind> = { ...offers.outboxHandlers, ...disputes.outboxHandlers }
  const handlerOf = (kind: OutboxKind): OutboxHandler => handlers[kind]
  const accounts = createAccountScopes<{ pollLoop: PollLoop | null }>(context, scope, {
    role: null,
    open: () => ({ pollLoop: null }),
    start(account, work) {
      account.pollLoop = comparing.startPolling(work)
    },
  })
  const comparing = createComparing({
    context,
    storeOf,
    handlerOf,
    changed: outbox.notifyChanged,
    settle: (accountId, entryId) => sending.settle(accountId, entryId),
  })
  const sending = createSending({
    context,
    scopeOf: accounts.scope,
    storeOf,
    flightsOf,
    handlerOf,
    compare: comparing.compare,
    textOf,
    changed: outbox.notifyChanged,
  })
  // Compare now instead of at the next interval.
  outbox.onQueued((accountId) => void accounts.opened(accountId)?.pollLoop?.runNow(), scope.signal)

  return {
    compare: ({ accountId }: Inputs['compare']): Promise<void> => comparing.compareAll(accountId),
    async send({
      accountId,
      entryIds,
      priceCents,
      shown: asShown,
    }: Inputs['send']): Promise<Outputs['send']> {
      if (priceCents !== undefined && entryIds.length > 1)
        throw failure(
          'INVALID_INPUT',
          'One price can’t be sent for several entries.',
          'Send them one by one.',
          { effect: 'Nothing was sent.' },
        )
      for (const entryId of entryIds)
        await sending.send(accountId, entryId, priceCents ?? null, asShown?.[entryId])
      const store = storeOf(accountId)
      return entryIds
        .flatMap((entryId) => store.find(entryId) ?? [])
        .map((entry) => toEntry(accountId, entry))
    },
  }
}
export type OutboxSender = ReturnType<typeof createOutboxSender>

export const outboxSenderFeature = defineFeature({
  name: 'outboxSender',
  schemas: [],
  start: createOutboxSender,
})
