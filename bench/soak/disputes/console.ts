/*
 * A support console as a separate process, to be killed: reads one line of JSON, then replies,
 * replaces and refunds by its seed until it is killed, or finishes and reports its state of every
 * dispute.
 */
import { createRouterClient } from '@orpc/server'
import { seeded } from '../../../e2e/support/seeded.ts'
import { createCore } from '../../../src/core/create-core.ts'
import { createDeadline } from '../support/deadline.ts'
import { createReporter, pause, runSoakConsole, soakHost } from '../support/soak-console.ts'
import type { ConsoleFolder } from '../support/soak-console.ts'
import { attempt } from '../sync/day.ts'
import { fastClock } from '../../../src/core/testing/fast-clock.ts'

export type ConsoleOptions = ConsoleFolder & {
  baseUrl: string
  key: string
  /** Null: finishes open work and reports. */ seed: number | null
  name: string
}
export type Seen = {
  disputeId: string
  status: string
  resolution: string | null
  messages: { author: string | null; body: string | null }[]
  open: number
  done: string[]
  /** Texts of answers queued in the outbox, which only a person sends. */
  queued: string[]
}
export type Said =
  | { ready: true }
  | { asks: string; disputeId: string; text?: string }
  | { did: string; disputeId: string; text?: string }
  | { queued: string; disputeId: string }
  | { rest: Seen[] }

const say = createReporter<Said>()
const REST_WITHIN_MS = 240_000
/**
 * Waits of the console are shorter by this factor, but it still waits for a response that may be on
 * its way longer than the proxy delays one.
 */
const TIMES_AS_FAST = 5

async function main({
  dataDir,
  keychainFile,
  baseUrl,
  key,
  seed,
  name,
}: ConsoleOptions): Promise<void> {
  const clock = fastClock(TIMES_AS_FAST, 15_000)
  const core = await createCore(soakHost({ dataDir, keychainFile }), { rates: null, clock })
  const ask = createRouterClient(core.router, { context: {} })
  const accountId =
    (await ask.accounts.list())[0]?.id ??
    (await ask.accounts.connect({ key, baseUrl, name: 'Shop', keep: 'keychain' })).id
  const all = async () =>
    (await ask.disputes.list({ accountId, view: 'all', window: { limit: 500 } })).rows
  const details = async () =>
    Promise.all(
      (await all()).map(({ disputeId }) => ask.disputes.dispute({ accountId, disputeId })),
    )

  const queuedTexts = async (): Promise<{ disputeId: string; text: string }[]> => {
    const { rows } = await ask.outbox.list({ accountId, tab: 'waiting', window: { limit: 500 } })
    return Promise.all(
      rows.map(async ({ entryId, subjectId }) => ({
        disputeId: subjectId,
        text: (await ask.outbox.entry({ accountId, entryId })).text ?? '',
      })),
    )
  }

  if (seed === null) {
    say({ ready: true })
    const isOver = createDeadline(REST_WITHIN_MS)
    // After two complete syncs that started after the start, the console has the service's current
    // data.
    const readings = new Set<number>()
    for (const began = clock.now(); ;) {
      await attempt(ask.accounts.syncNow({ accountId }))
      await pause(300)
      const { readAt } = await ask.disputes.list({ accountId })
      if (readAt !== null && readAt > began) readings.add(readAt)
      const queued = await queuedTexts()
      const seen = (await details()).map((each): Seen => ({
        disputeId: each.disputeId,
        status: each.status,
        resolution: each.resolution?.type ?? null,
        messages: each.conversation.map(({ author, body }) => ({ author, body })),
        open:
          each.pending.filter(({ state }) => state !== 'refused').length +
          each.actions.filter(({ state }) => state === 'sending' || state === 'unknown').length,
        done: each.actions.filter(({ state }) => state === 'done').map(({ kind }) => kind),
        queued: queued
          .filter(({ disputeId }) => disputeId === each.disputeId)
          .map(({ text }) => text),
      }))
      if ((readings.size > 1 && seen.every(({ open }) => open === 0)) || isOver()) {
        say({ rest: seen })
        return core.close()
      }
    }
  }
  const below = seeded(seed)
  while ((await all()).length === 0) await pause(50)
  say({ ready: true })
  for (let turn = 0; ; turn += 1) {
    const open = (await ask.disputes.list({ accountId, view: 'inbox', window: { limit: 500 } }))
      .rows
    const row = open[below(Math.max(1, open.length))]
    if (row === undefined) {
      await pause(100)
      continue
    }
    const { disputeId, status, messages } = row
    const what =
      (['answer', 'answer', 'answer', 'replace-stock', 'replace-key', 'refund'] as const)[
        below(6)
      ] ?? 'answer'
    const text = `${name}-${turn} we are looking into ${disputeId}`
    say({ asks: what, disputeId, text })
    try {
      if (what === 'answer') {
        const { sent } = await ask.disputes.answer({ accountId, disputeId, text, seen: messages })
        if (!sent) {
          say({ queued: text, disputeId })
          continue
        }
      } else
        await ask.disputes.act({
          accountId,
          disputeId,
          kind: what,
          seen: { status, messages },
          ...(what === 'replace-key' ? { key: `SOAK${name}-T${turn}-${disputeId.slice(-6)}` } : {}),
        })
      say({ did: what, disputeId, text })
    } catch {
      // Rejected, changed since then, or not known yet: the final comparison finds the result.
    }
  }
}

runSoakConsole(main)
