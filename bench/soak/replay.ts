/**
 * Saves random sessions of repeatable sandboxes as world files, and repeats each: every answer must
 * have the same bytes. The second half runs while other processes use all of the machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { worldFile } from '../../server/api/dashboard/worlds.ts'
import { startSandbox } from '../../server/sandbox.ts'
import { testOptions } from '../../server/testing/sandbox-options.ts'
import { replayWorld } from '../../server/worlds/replay.ts'
import { seeded } from '../../e2e/support/seeded.ts'
import { type Asked, randomSession } from './replay/session.ts'

/** A round is one session. */
export const defaultRounds = 1000

type Options = { rounds: number; seed: number; log: (text: string) => void }
export type ReplaySoak = {
  lost: number
  twice: number
  /** Sessions with an answer that differed. */
  wrong: number
  requests: number
  /** Sessions while other processes used the machine. */
  loaded: number
  /** Answers that were also compared with those that the session itself got. */
  compared: number
}

const silent = { info: () => undefined, error: () => undefined }
const products = [1, 20, 60] as const
const steps = [3, 10, 25] as const

type Received = { readonly status: number; readonly sha256: string }

/** One per processor, at the usual priority. */
const startLoad = (): ChildProcess[] =>
  Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )

/** One session: its world file as text, and the answers that it got. */
async function playSession(name: string, choose: <T>(values: readonly T[]) => T) {
  const { ready, stop } = await startSandbox(
    testOptions({
      world: { seed: 'demo', products: choose(products) },
      repeatable: { seed: name, at: Date.UTC(2026, 4, 1) + choose([0, 1, 86_399_999]) },
    }),
    silent,
  )
  const origin = new URL(ready.baseUrl).origin
  const received: Received[] = []
  const send = async ({ method, path, key, body, idempotencyKey }: Asked) => {
    const answer = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = (await answer.text()).replaceAll(origin, 'http://sandbox')
    const sha256 = createHash('sha256').update(text).digest('hex')
    received.push({ status: answer.status, sha256 })
    const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: answer.status, body: parsed as Record<string, unknown> }
  }
  try {
    const keys = {
      partner: ready.demo?.partnerLiveKey ?? '',
      seller: ready.demo?.sellerKey ?? '',
      dashboard: ready.dashboardToken,
    }
    const { uploads } = await randomSession(send, keys, choose, choose(steps))
    const file = await fetch(`${ready.dashboardUrl}/world`, {
      headers: { authorization: `Bearer ${ready.dashboardToken}` },
    })
    return { file: await file.text(), received, uploads }
  } finally {
    await stop()
  }
}

export default async function soakReplay({ rounds, seed, log }: Options): Promise<ReplaySoak> {
  const result: ReplaySoak = { lost: 0, twice: 0, wrong: 0, requests: 0, loaded: 0, compared: 0 }
  let load: ChildProcess[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      if (load.length === 0 && round >= rounds / 2) load = startLoad()
      const random = seeded(seed + round)
      const choose = <T>(values: readonly T[]): T => {
        const value = values[random(values.length)]
        if (value === undefined) throw new Error('nothing to choose from')
        return value
      }
      const { file: text, received, uploads } = await playSession(`${seed}-${round}`, choose)
      const file = worldFile.strict.parse(JSON.parse(text))
      const differ = (await replayWorld(file, startSandbox, silent)).map(
        ({ no, method, path }) => `replay of ${no} ${method} ${path}`,
      )
      // A stand-in for an uploaded key can change later answers, such as the keys of an order.
      if (uploads === 0) {
        result.compared += received.length
        for (const [index, { method, path, answer }] of file.requests.entries()) {
          const own = received[index]
          if (own?.status !== answer.status || own.sha256 !== answer.sha256)
            differ.push(`session's own answer to ${index + 1} ${method} ${path}`)
        }
      }
      result.requests += file.requests.length
      if (load.length > 0) result.loaded += 1
      if (differ.length > 0) {
        result.wrong += 1
        log(`session ${round} of seed ${seed}: ${differ.slice(0, 5).join('; ')}`)
      }
      if ((round + 1) % 100 === 0) log(`${round + 1} sessions, ${result.requests} requests`)
    }
    return result
  } finally {
    for (const child of load) child.kill('SIGKILL')
  }
}
