import type { QueryClient } from '@tanstack/react-query'
import type { Topic } from '../../../contract/app/app.ts'
import { api, rpc } from './rpc.ts'

/** The queries that show costs of sales, which come from batches and offers. */
const saleCosts = () => [api.sales.list.key(), api.sales.sale.key(), api.sales.profit.key()]

/**
 * Invalidates the queries that a change makes stale. Visible pages refetch now; the others refetch
 * when they are shown.
 */
const stale: Record<Topic, () => readonly (readonly unknown[])[]> = {
  accounts: () => [api.accounts.key(), api.sandbox.key()],
  activity: () => [api.app.activity.key(), api.activity.key()],
  catalogue: () => [api.catalogue.key(), api.accounts.connection.key()],
  connection: () => [api.accounts.connection.key()],
  disputes: () => [api.disputes.key(), api.batches.key(), api.accounts.connection.key()],
  imports: () => [
    api.imports.key(),
    api.batches.key(),
    api.keyHistory.key(),
    api.disputes.alarms.key(),
    api.disputes.dispute.key(),
    ...saleCosts(),
  ],
  jobs: () => [api.app.jobs.key()],
  keychain: () => [api.app.info.key()],
  notices: () => [api.notices.key()],
  offers: () => [
    api.offers.key(),
    api.imports.undoPlan.key(),
    api.batches.key(),
    api.disputes.alarms.key(),
    api.disputes.dispute.key(),
    api.disputes.effects.key(),
    ...saleCosts(),
    api.accounts.connection.key(),
  ],
  'price-watch': () => [api.priceWatch.key()],
  orders: () => [
    api.orders.key(),
    api.claims.key(),
    api.spending.key(),
    api.accounts.connection.key(),
  ],
  outbox: () => [api.outbox.key(), api.offers.key()],
  balance: () => [
    api.balance.key(),
    api.accounts.connection.key(),
    api.orders.quote.key(),
    api.spending.key(),
  ],
  room: () => [api.app.diskSpace.key()],
  sales: () => [
    api.sales.key(),
    api.disputes.key(),
    api.batches.key(),
    api.accounts.connection.key(),
  ],
  updates: () => [api.updates.key()],
  sandbox: () => [api.sandbox.key(), api.accounts.key(), api.webhookInspector.receiver.key()],
  sessions: () => [api.sessions.key()],
  settings: () => [api.app.settings.key()],
  sync: () => [api.catalogue.sync.key(), api.accounts.connection.key()],
  vault: () => [api.vault.key(), api.secondProof.key(), api.disputes.key()],
  webhooks: () => [api.webhookInspector.key()],
}

/** What a person hears of while the window is hidden. */
const heardHidden: ReadonlySet<Topic> = new Set(['notices'])

/**
 * Makes queries stale as their topics change. In a hidden window they stay as they are until it is
 * shown, because reading data that no one sees costs energy.
 */
function createInvalidation(client: QueryClient, signal: AbortSignal) {
  const missed = new Set<Topic>()
  const apply = (topic: Topic): void => {
    for (const queryKey of stale[topic]()) void client.invalidateQueries({ queryKey })
  }
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.hidden) return
      for (const topic of missed) apply(topic)
      missed.clear()
    },
    { signal },
  )
  return (topic: Topic): void => {
    if (document.hidden && !heardHidden.has(topic)) missed.add(topic)
    else apply(topic)
  }
}

/**
 * Follows the core's changes until `signal` aborts. After a lost connection all queries are
 * refetched, because changes were missed.
 */
export async function followChanges(client: QueryClient, signal: AbortSignal): Promise<void> {
  const invalidate = createInvalidation(client, signal)
  while (!signal.aborted) {
    try {
      let first = true
      for await (const change of await rpc.app.changes(undefined, { signal })) {
        if (first) await client.invalidateQueries()
        else invalidate(change.topic)
        first = false
      }
    } catch {
      // The connection was lost. The next call waits for a new one.
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
  }
}
