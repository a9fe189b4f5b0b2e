import { createORPCClient } from '@orpc/client'
import type { ClientLink } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import { create } from 'zustand'
import type { Contract } from '../../contract/index.ts'
import { NoSession, openLine } from './line.ts'
import type { Line } from './line.ts'

/** How the page stands to the core. `lost` reconnects by itself; `no-session` needs a new address from the terminal. */
export type LineState = 'connecting' | 'connected' | 'lost' | 'no-session'

export const useLine = create<{ state: LineState }>(() => ({ state: 'connecting' }))

const retryMs = [100, 300, 1000, 2000]

let current: Promise<Line> | undefined

/** The open line, or a new one; it tries for as long as the page lives. */
function line(): Promise<Line> {
  current ??= connect().then((opened) => {
    useLine.setState({ state: 'connected' })
    void opened.closed.then(() => {
      current = undefined
      useLine.setState({ state: 'lost' })
      void line()
    })
    return opened
  })
  return current
}

async function connect(): Promise<Line> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await openLine()
    } catch (error) {
      if (error instanceof NoSession) {
        useLine.setState({ state: 'no-session' })
        return new Promise(() => {})
      }
      useLine.setState({ state: attempt === 0 ? 'connecting' : 'lost' })
      await new Promise((resolve) => { setTimeout(resolve, retryMs[Math.min(attempt, retryMs.length - 1)]) })
    }
  }
}

const link: ClientLink<Record<never, never>> = {
  call: async (path, input, options) => (await line()).link.call(path, input, options),
}

/** Everything the core answers, typed by the contract. Calls wait while there is no line; one that was under way when it broke rejects. */
export const rpc: ContractRouterClient<Contract> = createORPCClient(link)

/** The same as query and mutation options: `api.offers.list.queryOptions({ input })`, `api.offers.change.mutationOptions()`, `api.offers.key()`. */
export const api = createTanstackQueryUtils(rpc)
