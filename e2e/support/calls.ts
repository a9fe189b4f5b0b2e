import type { Page } from '@playwright/test'

/** Delays or fails the calls of a page to its core, as a busy or broken core would. */
export interface Calls {
  /** Keeps back the responses to calls with these addresses, such as `/balance/now`. */
  hold: (...addresses: string[]) => void
  /** Delivers the responses that were kept back, and all later ones. */
  release: () => void
  /** The number of responses kept back. */
  held: () => number
  /** Changes the responses to calls with this address. */
  change: (address: string, changed: (output: never) => void) => void
  /** Fails the calls for which this returns true; null: none. */
  fail: (isFailed: ((address: string, body: string) => boolean) | null) => void
}

/** Watches the calls of a page. Call this before the page opens. */
export async function watchCalls(page: Page): Promise<Calls> {
  let kept: (() => void)[] = []
  let addresses: string[] = []
  /** The ids of the calls to keep back, by connection. */
  const delayedCalls: Set<unknown>[] = []
  let changes: { address: string; changed: (output: never) => void } | null = null
  let isFailed: ((address: string, body: string) => boolean) | null = null
  await page.routeWebSocket('**/rpc', (socket) => {
    const core = socket.connectToServer()
    const delayed = new Set<unknown>()
    delayedCalls.push(delayed)
    const changedCalls = new Set<unknown>()
    socket.onMessage((message) => {
      const call: { i: unknown; p?: { u?: string } } = JSON.parse(String(message))
      const address = call.p?.u ?? ''
      if (addresses.includes(address)) delayed.add(call.i)
      if (changes?.address === address) changedCalls.add(call.i)
      if (isFailed?.(address, String(message)) === true)
        return core.send(JSON.stringify({ ...call, p: { ...call.p, u: '/none' } }))
      core.send(message)
    })
    core.onMessage((message) => {
      const answer = JSON.parse(String(message)) as { i: unknown; p: { b: { json: never } } }
      const isChanged = changedCalls.delete(answer.i)
      if (isChanged) changes?.changed(answer.p.b.json)
      const send = (): void => socket.send(isChanged ? JSON.stringify(answer) : message)
      if (delayed.delete(answer.i)) kept.push(send)
      else send()
    })
  })
  return {
    hold: (...some) => {
      addresses = some
    },
    release: () => {
      addresses = []
      for (const delayed of delayedCalls) delayed.clear()
      for (const send of kept) send()
      kept = []
    },
    held: () => kept.length,
    change: (address, changed) => {
      changes = { address, changed }
    },
    fail: (is) => {
      isFailed = is
    },
  }
}
