import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import type { AccountScopes } from '../../lifecycle/lifecycle.ts'
import type { PriceWatchContext } from '../context.ts'
import type { WatchSession } from '../session.ts'

type Outputs = InferContractRouterOutputs<Contract['priceWatch']>

type Parts = {
  context: PriceWatchContext
  accounts: AccountScopes<WatchSession>
  decideAnew: () => void
  note: (accountId: string | null, what: Localized, detail: Localized) => void
}

/** The kill switch: stops and resumes sending by rules in all accounts. */
export function createStopSwitch({ context, accounts, decideAnew, note }: Parts) {
  /** Since when sending is being stopped in accounts that wait for their turn. */
  let stopping: number | null = null

  const sending = context.accounts.summary(
    'price-sending',
    { auto: 0, stoppedAt: null, sending: 0 },
    (accountId): Outputs['switch'] => {
      const { rules, store } = accounts.of(accountId).keeper
      return {
        auto: rules().filter(({ mode }) => mode === 'auto').length,
        stoppedAt: store.stoppedAt(),
        sending: store.openSends(),
      }
    },
  )
  const sellers = (): string[] => context.accounts.list({ role: 'seller' }).map(({ id }) => id)

  /** Accounts that work come first. */
  async function inEachAccount(task: (session: WatchSession) => void): Promise<void> {
    const asleep = sellers().filter(context.accounts.isAsleep)
    for (const session of accounts.awake()) task(session)
    for (const id of asleep) await context.accounts.hold(id, () => task(accounts.of(id)))
  }
  function stop({ keeper: { store } }: WatchSession, at: number): void {
    if (store.stoppedAt() === null) store.stop(at)
  }

  return {
    /** Stops an account whose turn begins while sending is being stopped in all of them. */
    apply(session: WatchSession): void {
      if (stopping !== null) stop(session, stopping)
    },
    isSending(accountId: string): boolean {
      const { auto, stoppedAt, sending: open } = sending(accountId)
      return open > 0 || (auto > 0 && stoppedAt === null)
    },
    async stopAll(): Promise<Outputs['stopAll']> {
      const now = context.clock.now()
      stopping = now
      let returned = 0
      try {
        await inEachAccount((session) => {
          stop(session, now)
          returned += session.keeper.store.sends('queued').length
          session.sending.stop()
        })
      } finally {
        stopping = null
      }
      note(
        null,
        localized('price-watch.prices'),
        localized('price-watch.sending-stopped', { unsent: returned }),
      )
      decideAnew()
      return { returned }
    },
    async resume(): Promise<void> {
      note(null, localized('price-watch.prices'), localized('price-watch.sending-resumed'))
      await inEachAccount((session) => session.keeper.store.stop(null))
      decideAnew()
    },
    switch(): Outputs['switch'] {
      const all = sellers().map(sending)
      const stopped = all.flatMap(({ stoppedAt }) => stoppedAt ?? [])
      return {
        auto: all.reduce((sum, { auto }) => sum + auto, 0),
        stoppedAt: stopped.length === 0 ? null : Math.min(...stopped),
        sending: all.reduce((sum, each) => sum + each.sending, 0),
      }
    },
  }
}
