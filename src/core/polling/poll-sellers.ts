import type { PolledTopic } from '../../contract/app.ts'
import type { CoreContext, ServiceConnection } from '../context.ts'
import type { PollLoop } from '../mirror/mirror.ts'
import { startPolling } from './poll-topic.ts'

/**
 * Polls something for every seller account while the account is active. Stops, and waits for work
 * in flight, before the account's files are closed.
 */
export function pollSellers(
  context: CoreContext,
  topic: PolledTopic,
  read: (
    accountId: string,
    line: Pick<ServiceConnection, 'call'>,
    signal: AbortSignal,
  ) => Promise<boolean>,
) {
  const workers = new Map<string, { rounds: PollLoop; stop: () => void }>()
  const busy = new Map<Promise<unknown>, string>()
  const track = <T>(accountId: string, work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => busy.delete(tracked))
    busy.set(tracked, accountId)
    return tracked
  }

  context.accounts.onReady((account, ends) => {
    if (account.role !== 'seller') return
    const removal = new AbortController()
    const signal = AbortSignal.any([ends, removal.signal])
    const rounds = startPolling({
      context,
      accountId: account.id,
      topic,
      signal,
      read: (line) => track(account.id, read(account.id, line, signal)),
    })
    const worker = { rounds, stop: () => removal.abort() }
    workers.set(account.id, worker)
    signal.addEventListener(
      'abort',
      () => {
        if (workers.get(account.id) === worker) workers.delete(account.id)
      },
      { once: true },
    )
  })
  context.accounts.onRelease(async (accountId) => {
    workers.get(accountId)?.stop()
    await Promise.allSettled([...busy].filter(([, of]) => of === accountId).map(([work]) => work))
  })
  const syncNow = async (accountId: string): Promise<void> => {
    await workers.get(accountId)?.rounds.runNow()
  }
  context.accounts.onSyncNow((accountId) => void syncNow(accountId))

  return {
    /** Other work on the account's files that has to finish before they are closed. */
    track,
    syncNow,
    close: async (): Promise<void> => {
      await Promise.allSettled(busy.keys())
    },
  }
}
