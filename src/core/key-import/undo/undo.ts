import { createHash } from 'node:crypto'
import { pause, storedAgeMs } from '../../clock.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { makeFolder } from '../../durable-files.ts'
import { Failure } from '../../failure.ts'
import type { KeyImportContext } from '../context.ts'
import { noTotals } from '../draft-store.ts'
import { planOf } from '../spool/spool-files.ts'
import { FINGERPRINT_BYTES, keyRecords } from '../key-records.ts'
import { writePlan } from '../plan/plan-requests.ts'
import type { WaitingKey } from '../plan/plan-requests.ts'
import { undoStore } from '../undo-store.ts'
import type { UndoRow, UndoState } from '../undo-store.ts'
import type { AccountImports } from '../upload/upload-run.ts'
import { returnedKeys } from './returned-keys.ts'

/** Withdrawals of complete offers, and the sync of the offer list. */
export type UndoOffers = {
  syncNow(accountId: string): Promise<void>
  setStatus(
    accountId: string,
    offerId: string,
    status: 'active' | 'paused',
    options: { priority: 'watch'; signal: AbortSignal },
  ): Promise<void>
  withdrawals: {
    withdraw(
      accountId: string,
      withdrawalId: string,
      offerId: string,
      asked: null,
    ): Promise<{ state: string }>
    values(accountId: string, withdrawalId: string): Iterable<{ position: number; value: string }>
    release(accountId: string, withdrawalId: string, positions: readonly number[]): void
  }
}

type Parts = {
  context: KeyImportContext
  offers: UndoOffers
  session: AccountImports
  signal: AbortSignal
  startReturn(importId: string): void
  changed(importId: string): void
}

const RETRY_MS = 3000
export const fingerprintOf = (context: KeyImportContext, key: string): Buffer =>
  context.vault
    .fingerprint(createHash('sha256').update(key, 'utf8').digest())
    .subarray(0, FINGERPRINT_BYTES)

/**
 * Undoes an import on one offer. The API can't withdraw single keys, so the offer is paused,
 * withdrawn completely into the vault, the keys of other imports are uploaded again, and the status
 * is restored. Each step starts when the previous one has finished and can be repeated, so the undo
 * resumes after a kill at any point. Resolves when the undo is done, has stopped, or waits for its
 * upload (which calls {@link runUndo} again when it finishes).
 */
export async function runUndo(parts: Parts, importNumber: number, offer: number): Promise<void> {
  const { context, session, signal } = parts
  const store = undoStore(context.mirrors.database(session.accountId))
  while (!signal.aborted) {
    const row = store.find(importNumber, offer)
    if (row === undefined || row.state === 'done' || row.state === 'stopped') return
    try {
      const next = await steps[row.state](parts, row)
      if (next === null) return
      store.enter(row, next, next === 'done' ? context.clock.now() : null)
      if (next === 'done') note(parts, row)
      parts.changed(row.importId)
    } catch (error) {
      if (signal.aborted) return
      const problem =
        error instanceof Failure ? error.problem : context.report('import undo', error)
      if (!(error instanceof Failure) || error.retry === 'never') {
        store.stop(row, problem)
        return parts.changed(row.importId)
      }
      await waitUntilReady(parts, problem.retryAfterMs ?? RETRY_MS)
    }
  }
}

type Step = (parts: Parts, row: UndoRow) => Promise<UndoState | null>
const steps: Record<Exclude<UndoState, 'done' | 'stopped'>, Step> = {
  /** Pauses the offer first, so that no key of the import is sold during the undo. */
  async pausing({ context, session, offers, signal }, row) {
    const line = context.connection(session.accountId)
    const { status } = await line.call(
      'getOffer',
      { params: { id: row.offerId } },
      { priority: 'watch', signal },
    )
    undoStore(context.mirrors.database(session.accountId)).wasBefore(row, status)
    if (status === 'active')
      await offers.setStatus(session.accountId, row.offerId, 'paused', {
        priority: 'watch',
        signal,
      })
    return 'withdrawing'
  },
  async withdrawing({ session, offers }, row) {
    try {
      await offers.withdrawals.withdraw(session.accountId, row.withdrawalId, row.offerId, null)
    } catch (error) {
      // The offer has no keys: nothing to withdraw and nothing to return.
      if (!(error instanceof Failure) || error.problem.code !== 'INSUFFICIENT_STOCK') throw error
    }
    return 'planning'
  },
  async planning(parts, row) {
    return parts.context.vault.holdUnlocked(async () => planReturn(parts, row))
  },
  async returning({ session, startReturn }, row) {
    const upload = session.drafts.find(row.returnId)
    if (upload === undefined || upload.ended_at !== null) return 'restoring'
    startReturn(row.returnId)
    return null
  },
  async restoring(parts, row) {
    const { context, session, offers, signal } = parts
    releaseReturned(parts, row)
    if (row.statusBefore === 'active')
      await offers.setStatus(session.accountId, row.offerId, 'active', {
        priority: 'watch',
        signal,
      })
    void offers
      .syncNow(session.accountId)
      .catch((error: unknown) => context.report('import undo, offers', error))
    return 'done'
  },
}

/**
 * Writes the upload that returns the other keys: first its sealed plan, then all of it in one
 * transaction. Returns the next step, which is part of that transaction: a repetition would count
 * the withdrawn keys twice.
 */
function planReturn({ context, session, offers }: Parts, row: UndoRow): 'returning' | 'restoring' {
  const db = context.mirrors.database(session.accountId)
  const store = undoStore(db)
  const records = keyRecords(db)
  const back: WaitingKey[] = []
  let taken = 0
  for (const { position, value } of offers.withdrawals.values(
    session.accountId,
    row.withdrawalId,
  )) {
    const fingerprint = fingerprintOf(context, value)
    const left = records
      .of(fingerprint)
      .findLast(({ product, goneAt }) => product === row.product && goneAt !== null)
    if (left?.importNumber === row.importNumber && (left.offer ?? row.offer) === row.offer)
      taken += 1
    else back.push({ fingerprint, file: 0, line: position, key: value })
  }
  if (back.length === 0) {
    store.transaction(() => {
      store.planned(row, taken, 0)
      store.enter(row, 'restoring')
    })
    return 'restoring'
  }
  const folder = session.folder(row.returnId)
  makeFolder(folder)
  const { path, key } = planOf({
    accountId: session.accountId,
    importId: row.returnId,
    seal: context.vault.material().seal,
    folder,
  })
  const requests = writePlan(path, key, back)
  const at = context.clock.now()
  store.transaction(() => {
    if (session.drafts.find(row.returnId) === undefined) session.drafts.add(row.returnId, at)
    const upload = session.drafts.find(row.returnId)
    if (upload === undefined) throw new Error('the upload of an undo is gone')
    store.markReturn(upload.number, row.importNumber, row.offer)
    store.planned(row, taken, back.length)
    session.uploads.begin({
      number: upload.number,
      at,
      sums: { ...noTotals, read: back.length, ready: back.length },
      problems: [],
      requests,
      keyOf: () => context.random.id(),
      offers: [
        {
          position: 0,
          offerId: row.offerId,
          product: row.product,
          name: row.offerName,
          platform: row.platform,
          region: row.region,
          deliveryType: row.deliveryType,
        },
      ],
    })
    store.enter(row, 'returning')
  })
  return 'returning'
}

/** Removes the keys that the service has again from the vault; the keys it rejected stay there. */
function releaseReturned({ context, session, offers }: Parts, row: UndoRow): void {
  if (row.toReturn === 0) return
  const db = context.mirrors.database(session.accountId)
  const records = keyRecords(db)
  const there: number[] = []
  for (const { position, value } of offers.withdrawals.values(
    session.accountId,
    row.withdrawalId,
  )) {
    if (records.present(row.product, fingerprintOf(context, value)) !== null) there.push(position)
  }
  undoStore(db).transaction(() =>
    offers.withdrawals.release(session.accountId, row.withdrawalId, there),
  )
}

function note({ context, session }: Parts, row: UndoRow): void {
  const ended =
    undoStore(context.mirrors.database(session.accountId)).find(row.importNumber, row.offer) ?? row
  const { returned, inDoubt } = returnedKeys(session, ended)
  const result = { withdrawn: ended.takenBack, offer: row.offerName, returned }
  const kept = ended.toReturn - returned - inDoubt
  const detail =
    inDoubt > 0
      ? localized('imports.undo-result-in-doubt', { ...result, kept, doubtful: inDoubt })
      : kept > 0
        ? localized('imports.undo-result-incomplete', { ...result, kept })
        : localized('imports.undo-result', result)
  session.uploads.note(
    row.importNumber,
    context.clock.now(),
    localized('imports.undo-finished'),
    detail,
  )
  context.activity.add({
    accountId: session.accountId,
    what: localized('imports.undone'),
    detail,
    outcome: 'ok',
    code: null,
    status: null,
    requestId: null,
    durationMs: storedAgeMs(context.clock, row.startedAt),
  })
}

async function waitUntilReady({ context, session, signal }: Parts, ms: number): Promise<void> {
  await pause(context.clock, ms, signal)
  if (!signal.aborted)
    await context
      .connection(session.accountId)
      .ready(signal)
      .catch(() => {})
}
