import { startTestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { fastClock } from '../../testing/fast-clock.ts'
import { startFaultyProxy } from '../../testing/faulty-proxy.ts'
import type { ExchangeOutcome } from '../../testing/faulty-proxy.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

type Sale = { orderId: string; keyId: string; offerId: string }
type There = {
  status: string
  resolution: { type: string } | null
  messages: { author: string; body: string }[]
}
type Outcome = 'reply' | 'replace-stock' | 'refund' | 'close'
type Ask = TestCore['ask']

/** The service's own answer while it can't serve anything. */
export const unavailable: ExchangeOutcome = {
  kind: 'answer',
  answer: {
    status: 503,
    body: JSON.stringify({
      error: { code: 'SERVICE_UNAVAILABLE', message: 'Try again.', requestId: 'req_1' },
    }),
  },
}

export type DisputedSeller = Awaited<ReturnType<typeof startDisputedSeller>>

/**
 * A seller of a demo service, connected through a faulty proxy, with their disputes read.
 *
 * @param clock of the console. By default, pauses between retries are eight times shorter, and
 *   limits for responses at least 15 s.
 */
export async function startDisputedSeller(clock = fastClock(8, 15_000)) {
  const folder = temporaryFolder()
  const keychain = memoryKeychain()
  const backend = await startTestBackend({ products: 140, noLimits: true })
  const proxy = await startFaultyProxy(backend.ready.baseUrl)
  const sent: string[] = []
  proxy.served = ({ method, path, status }) => {
    if (method === 'POST' && path.includes('/disputes/') && status < 400)
      sent.push(path.split('/').at(-1) ?? '')
  }
  let core: TestCore
  const start = async (other = clock): Promise<void> => {
    core = await startTestCore(folder.path, keychain, { clock: other })
  }
  await start()
  const ask = (): Ask => core.ask
  const key = backend.ready.demo?.sellerKey ?? ''
  const shop = { key, baseUrl: proxy.baseUrl, name: 'Shop' }
  const { id: accountId } = await ask().accounts.connect(shop)
  await until(
    () => ask().disputes.list({ accountId, view: 'all' }),
    ({ complete, rows }) => complete && rows.length >= 5,
  )
  const person = inConsole(ask, accountId)
  const service = onService(backend.ready.sellerUrl, key)
  return {
    ...service,
    ...person,
    accountId,
    backend,
    proxy,
    folder,
    /** Answers and actions that the service carried out, in order. */
    sent,
    /** The contract of the running console. */
    get ask(): Ask {
      return core.ask
    },
    startConsole: start,
    stopConsole: (): Promise<void> => core.close(),
    /** A customer disputes a sale of an offer with stock, and Keydesk has read the dispute. */
    async claim(message = 'Already used'): Promise<string> {
      for await (const sale of service.stockedSales()) {
        const made = await backend
          .dashboard('POST', '/claims', { ...sale, message })
          .catch(() => null)
        if (made === null) continue
        const disputeId = String(made['disputeId'])
        await person.readNew(disputeId)
        return disputeId
      }
      throw new Error('nothing left to dispute')
    },
    /** Removes all faults and clears the list of sent requests. Call it after each test. */
    reset(): void {
      proxy.decide = () => 'pass'
      sent.length = 0
    },
    /** The customer of a dispute writes, and Keydesk has read that: the dispute has `messages` then. */
    async customerWrites(disputeId: string, body: string, messages: number): Promise<void> {
      await backend.dashboard('POST', `/disputes/${disputeId}/messages`, {
        author: 'customer',
        body,
      })
      await ask().accounts.syncNow({ accountId })
      await until(
        () => person.detail(disputeId),
        (found) => found.messages === messages,
      )
    },
    async close(): Promise<void> {
      await core.close()
      await proxy.close()
      folder.remove()
      await backend.stop()
    },
  }
}

/** The disputes as the service has them. */
function onService(url: string, key: string) {
  async function get<T>(path: string): Promise<T> {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return (await answer.json()) as T
  }
  const there = (disputeId: string): Promise<There> => get(`/disputes/${disputeId}`)
  return {
    there,
    answersThere: async (disputeId: string): Promise<string[]> =>
      (await there(disputeId)).messages
        .filter(({ author }) => author === 'seller')
        .map(({ body }) => body),
    /** Sales of offers with stock. */
    async *stockedSales(): AsyncGenerator<{ orderId: string; keyId: string }> {
      const { results } = await get<{ results: Sale[] }>('/sales?limit=100')
      for (const { orderId, keyId, offerId } of results) {
        const { stock = 0 } = await get<{ stock?: number }>(`/offers/${offerId}`)
        if (stock >= 3) yield { orderId, keyId }
      }
    },
  }
}

/** What a person does with disputes and replies. */
function inConsole(ask: () => Ask, accountId: string) {
  const detail = (disputeId: string) => ask().disputes.dispute({ accountId, disputeId })
  const retryPlanOf = async (bulkId: string): Promise<string> => {
    const bulks = await ask().disputes.bulkReplies({ accountId })
    return bulks.find((bulk) => bulk.bulkId === bulkId)?.retry.planId ?? ''
  }
  return {
    detail,
    /** The id of the plan that the retry of a bulk reply shows now. */
    retryPlanOf,
    /** Retries a bulk reply immediately after its retry is shown. */
    retryBulk: async (bulkId: string) =>
      ask().disputes.retryBulkReply({ accountId, bulkId, planId: await retryPlanOf(bulkId) }),
    /** Reads the dispute of a new claim. */
    async readNew(disputeId: string): Promise<void> {
      await ask().accounts.syncNow({ accountId })
      await until(
        () => detail(disputeId).catch(() => null),
        (found) => found?.messages === 1,
      )
    },
    reply: (disputeId: string, outcome: Outcome, text = 'Sorry about that.') =>
      ask().disputes.reply({
        accountId,
        disputeId,
        text,
        outcome,
        seen: { status: 'open', messages: 1 },
      }),
    sendNow: (replyId: string) => ask().disputes.sendReplies({ accountId, replyIds: [replyId] }),
    /** Waits until no reply of the dispute is open. */
    settled: (disputeId: string) =>
      until(
        () => detail(disputeId),
        ({ replies }) => replies.length === 0,
        60_000,
      ),
    /** The request of a bulk reply. */
    plan: (disputeIds: string[], outcome: 'reply' | 'replace-stock' | 'refund') => ({
      accountId,
      disputeIds,
      outcome,
      texts: { en: 'Sorry about {product}.', de: 'Das tut uns leid: {product}.', '': 'Sorry.' },
    }),
    /** The states of the latest bulk reply. */
    bulkStates: async (): Promise<string[]> =>
      (await ask().disputes.bulkReplies({ accountId }))[0]?.lines.map(({ state }) => state) ?? [],
  }
}
