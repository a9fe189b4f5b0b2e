import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import type { PriceWatchContext } from '../context.ts'
import type { WatchSession } from '../session.ts'

type Outputs = InferContractRouterOutputs<Contract['priceWatch']>

type Parts = {
  context: PriceWatchContext
  sellers: () => WatchSession[]
  decideAnew: () => void
  note: (accountId: string | null, what: Localized, detail: Localized) => void
}

/** The kill switch: stops and resumes sending by rules in all accounts. */
export function createStopSwitch({ context, sellers, decideAnew, note }: Parts) {
  return {
    stopAll(): Outputs['stopAll'] {
      const now = context.clock.now()
      let returned = 0
      for (const session of sellers()) {
        const { store } = session.keeper
        if (store.stoppedAt() === null) store.stop(now)
        returned += store.sends('queued').length
        session.sending.stop()
      }
      note(
        null,
        localized('price-watch.prices'),
        localized('price-watch.sending-stopped', { unsent: returned }),
      )
      decideAnew()
      return { returned }
    },
    resume(): void {
      note(null, localized('price-watch.prices'), localized('price-watch.sending-resumed'))
      for (const session of sellers()) session.keeper.store.stop(null)
      decideAnew()
    },
    switch(): Outputs['switch'] {
      const all = sellers().map(({ keeper }) => keeper)
      const stopped = all.flatMap(({ store }) => store.stoppedAt() ?? [])
      return {
        auto: all.reduce(
          (sum, keeper) => sum + keeper.rules().filter(({ mode }) => mode === 'auto').length,
          0,
        ),
        stoppedAt: stopped.length === 0 ? null : Math.min(...stopped),
        sending: all.reduce((sum, { store }) => sum + store.openSends(), 0),
      }
    },
  }
}
