import { closeSync, openSync } from 'node:fs'
import type { Problem } from '../../contract/base.ts'
import type { DoubtChoice, Import } from '../../contract/imports.ts'
import type { CoreContext } from '../context.ts'
import { LOOK_FOR_ROOM_MS } from '../disk-full.ts'
import { Failure } from '../failure.ts'
import type { DraftStore } from './draft-store.ts'
import { eraseFrame, readFrame } from './frames.ts'
import { planOf, spoolOf } from './key-check-task.ts'
import { sealHints } from './key-hints.ts'
import { decodeRequest } from './plan-requests.ts'
import type { WaitingKey } from './plan-requests.ts'
import { keepUnaccepted } from './unaccepted.ts'
import { reconcile, refusedIndexes, verdictOn } from './upload-answers.ts'
import type { Counted } from './upload-answers.ts'
import type { RequestRow, UploadStore } from './upload-store.ts'

/** The stores and the spool folder of an account's imports. */
export type ImportDesk = {
  accountId: string
  drafts: DraftStore
  uploads: UploadStore
  folder(importId: string): string
}

export type UploadHooks = {
  changed(accountId: string, importId: string): void
  /** The upload finished for good; none of its requests is waiting. */
  ended(desk: ImportDesk, importId: string, state: 'done' | 'cancelled'): void
  /** The upload stopped until a person solves this problem. */
  stopped(desk: ImportDesk, importId: string, problem: Problem): void
}

const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 30_000

/**
 * The loop of one upload: takes the next request of the journal, sends it, settles it, and waits or
 * stops if necessary.
 */
export function createUpload(
  context: CoreContext,
  desk: ImportDesk,
  importId: string,
  hooks: UploadHooks,
  signal: AbortSignal,
  wakeSignal: () => AbortSignal,
) {
  const { accountId, drafts, uploads } = desk
  const { clock } = context
  const line = context.connection(accountId)
  let failures = 0

  const row = () => drafts.find(importId)
  const state = (): Import['state'] | undefined => row()?.state
  const goingOn = (): boolean =>
    !signal.aborted && (state() === 'uploading' || state() === 'waiting')

  function plan() {
    const { seal } = context.vault.material()
    return planOf({ accountId, importId, seal, folder: desk.folder(importId) })
  }
  function keysOf(request: RequestRow): WaitingKey[] {
    const { path, key } = plan()
    const file = openSync(path, 'r')
    try {
      return decodeRequest(
        readFrame(file, key, {
          index: request.frame,
          offset: request.frame_offset,
          length: request.frame_length,
        }),
      )
    } finally {
      closeSync(file)
    }
  }
  /** Overwrites the keys of settled requests. The file is deleted when the upload has finished. */
  function erase(frames: readonly { offset: number; length: number }[]): void {
    const { path } = plan()
    const file = openSync(path, 'r+')
    try {
      for (const frame of frames) eraseFrame(file, frame)
    } finally {
      closeSync(file)
    }
  }

  /** Waits for a time, or until the vault opens, the upload is woken, or the account closes. */
  async function rest(ms: number, forVault: boolean): Promise<void> {
    const until = AbortSignal.any([signal, wakeSignal()])
    if (until.aborted) return
    await new Promise<void>((resolve) => {
      const cancel = clock.after(ms, done)
      function done(): void {
        cancel()
        until.removeEventListener('abort', done)
        resolve()
      }
      until.addEventListener('abort', done, { once: true })
      if (forVault) void untilVaultChanges(until, done)
    })
  }
  async function untilVaultChanges(until: AbortSignal, tell: () => void): Promise<void> {
    for await (const change of context.changes.listen(until)) {
      if (change.topic === 'vault') return tell()
    }
  }

  async function wait(request: RequestRow, problem: Problem): Promise<void> {
    if (!goingOn()) return
    failures++
    // The reason may have changed: the service is back, but after a restart the vault is locked.
    const waitsFor = row()?.problem ?? null
    const first =
      state() !== 'waiting' || waitsFor === null || problemCode(waitsFor) !== problem.code
    const number = request.import_number
    const began = clock.now()
    if (first) {
      uploads.setState(number, 'waiting', problem)
      uploads.note(
        number,
        began,
        waitingWords(problem),
        [problem.what, problem.requestId].filter((part) => part !== null).join(' · '),
      )
      hooks.changed(accountId, importId)
    }
    const backoff =
      Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) *
      (0.75 + context.random.fraction() / 2)
    const vaultShut = problem.code.startsWith('VAULT_')
    await rest(problem.retryAfterMs ?? (vaultShut ? LONGEST_DELAY_MS : backoff), vaultShut)
    const until = AbortSignal.any([signal, wakeSignal()])
    await line.ready(until).catch(() => {})
    if (state() !== 'waiting' || signal.aborted) return
    if (vaultShut && isShut()) return
    uploads.setState(number, 'uploading', null)
    uploads.note(
      number,
      clock.now(),
      `Resumed at request ${(request.position + 1).toLocaleString('en')}`,
      `After ${Math.max(1, Math.round((clock.now() - began) / 1000)).toLocaleString('en')} s${request.attempts === 0 ? '' : context.accounts.takesIdempotencyKeys(accountId) ? '. Retrying is safe: no key is added twice' : '. Keydesk first checks whether the request arrived'}`,
    )
    hooks.changed(accountId, importId)
  }
  function isShut(): boolean {
    try {
      context.vault.assertUnlocked()
      return false
    } catch {
      return true
    }
  }

  function stop(request: RequestRow, problem: Problem): void {
    if (!goingOn()) return
    uploads.setState(request.import_number, 'stopped', problem)
    uploads.note(
      request.import_number,
      clock.now(),
      `Stopped at request ${(request.position + 1).toLocaleString('en')}`,
      problem.what,
    )
    hooks.changed(accountId, importId)
    hooks.stopped(desk, importId, problem)
  }

  function settle(
    request: RequestRow,
    keys: readonly WaitingKey[],
    answer: { added: number; duplicates: number; stock: number | null },
  ): void {
    failures = 0
    uploads.settle(
      request,
      clock.now(),
      answer,
      keys,
      sealHints(context.vault, accountId, request, keys),
    )
    erase([{ offset: request.frame_offset, length: request.frame_length }])
    hooks.changed(accountId, importId)
  }

  async function countKeys(offerId: string): Promise<Counted> {
    const { stock, sold = null } = await line.call(
      'getOffer',
      { params: { id: offerId } },
      { priority: 'watch', signal },
    )
    return { stock, sold }
  }

  /**
   * Finds out what happened to a request without a response if the service has no Idempotency-Keys.
   * Returns true if it can be sent.
   */
  async function findOut(
    request: RequestRow,
    keys: readonly WaitingKey[],
    offer: { offerId: string; name: string },
  ): Promise<boolean> {
    const now = await countKeys(offer.offerId)
    const before =
      request.stock_before === null
        ? null
        : { stock: request.stock_before, sold: request.sold_before }
    const outcome = reconcile(before, now, keys.length)
    if (outcome === 'not-arrived') {
      uploads.sendAgain(request, false)
      return true
    }
    if (outcome === 'arrived') {
      settle(request, keys, { added: keys.length, duplicates: 0, stock: now.stock })
      return false
    }
    const sold = before?.sold == null || now.sold === null ? null : now.sold - before.sold
    stop(request, {
      code: 'UPLOAD_UNCLEAR',
      what: `The response to request ${request.position + 1} was lost, and the stock of ${offer.name} doesn’t show whether its keys arrived.`,
      effect: `${keys.length.toLocaleString('en')} keys may or may not be on the offer. Its stock was ${before?.stock ?? 'unknown'} before and is ${now.stock} now.`,
      next: 'Choose what to do with them. If you send them again, the service skips keys it already has.',
      status: null,
      requestId: null,
      retryAfterMs: null,
      details: {
        keys: keys.length,
        before: before?.stock ?? null,
        now: now.stock,
        sold,
        offer: offer.name,
        request: request.position + 1,
      },
    })
    return false
  }

  /** Saves rejected keys (encrypted) before wiping their request. */
  function keep(requests: readonly { request: RequestRow; keys: readonly WaitingKey[] }[]): void {
    const { seal } = context.vault.material()
    keepUnaccepted(
      spoolOf({ accountId, importId, seal, folder: desk.folder(importId) }, 'unaccepted'),
      requests.map(({ request, keys }) => ({
        request: request.position,
        offerId: uploads.offer(request).offerId,
        keys: keys.map(({ key }) => key),
      })),
    )
  }
  const stillIn = (request: RequestRow): WaitingKey[] => {
    const leftOut = new Set(JSON.parse(request.left_out) as number[])
    return keysOf(request).filter((_, index) => !leftOut.has(index))
  }
  function refuse(
    request: RequestRow,
    problem: Problem,
    whole: 'request' | 'offer',
    what: string,
  ): void {
    const refused = (whole === 'offer' ? uploads.openOf(request) : [request]).map((each) => ({
      request: each,
      keys: stillIn(each),
    }))
    keep(refused)
    uploads.refuse(request, clock.now(), problem, whole, what, refused)
    hooks.changed(accountId, importId)
  }

  async function send(request: RequestRow): Promise<void> {
    const offer = uploads.offer(request)
    const keys = stillIn(request)
    if (keys.length === 0) return settle(request, [], { added: 0, duplicates: 0, stock: null })
    const keyed = context.accounts.takesIdempotencyKeys(accountId)
    let counted: Counted | null = null
    if (!keyed) {
      if (request.state === 'sent' && !(await findOut(request, keys, offer))) return
      counted = await countKeys(offer.offerId)
    }
    if (!goingOn()) return
    uploads.markSent(request, clock.now(), counted)
    hooks.changed(accountId, importId)
    let answer
    try {
      answer = await line.call(
        'uploadKeys',
        { params: { id: offer.offerId }, body: { keys: keys.map(({ key }) => key) } },
        { priority: 'watch', signal, ...(keyed && { idempotencyKey: request.idempotency_key }) },
      )
    } catch (error) {
      // A request with an unknown result stays unknown: this rejection says nothing about the
      // earlier attempt.
      if (
        error instanceof Failure &&
        request.state === 'waiting' &&
        verdictOn(error.problem) === 'not-done'
      )
        uploads.markUnsent(request)
      throw error
    }
    settle(request, keys, {
      added: answer.added,
      duplicates: answer.duplicates,
      stock: answer.stock,
    })
  }

  async function handle(request: RequestRow, problem: Problem): Promise<void> {
    const now = clock.now()
    const number = (request.position + 1).toLocaleString('en')
    switch (verdictOn(problem)) {
      case 'not-done':
      case 'unknown':
        return wait(request, problem)
      case 'stop':
        return stop(request, problem)
      case 'refused-keys': {
        const before = new Set(JSON.parse(request.left_out) as number[])
        const all = keysOf(request)
        // The service counts indexes in the request as sent; the journal counts them in the request
        // as planned.
        const sent = all.flatMap((_, index) => (before.has(index) ? [] : [index]))
        const refused = refusedIndexes(problem).flatMap((place) =>
          sent[place] === undefined ? [] : [sent[place]],
        )
        if (refused.length === 0) break
        const names = drafts.files(request.import_number)
        const where = refused.map(
          (index) =>
            `${names.find(({ position }) => position === all[index]?.file)?.name ?? 'file'}, line ${all[index]?.line.toLocaleString('en') ?? '?'}`,
        )
        const gone = refused.flatMap((index) => all[index] ?? [])
        keep([{ request, keys: gone }])
        uploads.leaveOut(
          request,
          [...before, ...refused],
          gone,
          context.random.id(),
          now,
          where.join('; '),
        )
        return hooks.changed(accountId, importId)
      }
      case 'refused-request':
        break
      case 'refused-offer':
        return refuse(
          request,
          problem,
          'offer',
          `${uploads.offer(request).name} doesn’t accept keys; the rest continues`,
        )
    }
    refuse(request, problem, 'request', `Request ${number} was rejected; the rest continues`)
  }

  return {
    /** Applies the user's decision about a request with an unknown result. */
    async decide(choice: DoubtChoice): Promise<void> {
      const found = row()
      const request = found === undefined ? undefined : uploads.inFlight(found.number)
      if (found === undefined || request === undefined) return
      const words = {
        'send-again': 'Keydesk sends the keys again',
        arrived: 'The keys count as added',
        'leave-out': 'The keys are excluded and saved for export',
      }
      uploads.note(
        found.number,
        clock.now(),
        `Decision on request ${(request.position + 1).toLocaleString('en')}`,
        words[choice],
      )
      if (choice === 'send-again') return uploads.sendAgain(request, true)
      const keys = stillIn(request)
      if (choice === 'leave-out')
        return refuse(
          request,
          problemOf(found.problem),
          'request',
          `Request ${(request.position + 1).toLocaleString('en')} was excluded`,
        )
      settle({ ...request, in_doubt: 1 }, keys, { added: 0, duplicates: keys.length, stock: null })
    },
    /** Stops the upload after a defect until a person resumes it. */
    fail(problem: Problem): void {
      const found = signal.aborted ? undefined : row()
      if (found === undefined || !goingOn()) return
      uploads.setState(found.number, 'stopped', problem)
      hooks.changed(accountId, importId)
      hooks.stopped(desk, importId, problem)
    },
    async run(): Promise<void> {
      const found = row()
      if (found === undefined) return
      // A kill may have stopped Keydesk between a request's response and the erasing of its keys.
      if (!isShut()) erase(uploads.settledFrames(found.number))
      while (goingOn()) {
        const request = uploads.next(found.number)
        if (request === undefined) return hooks.ended(desk, importId, 'done')
        try {
          await send(request)
        } catch (error) {
          if (signal.aborted) return
          // As after a kill, the journal doesn't show whether the request arrived: it is looked up,
          // or sent again with its Idempotency-Key.
          if (context.diskSpace.isCausedBy(error)) {
            await rest(LOOK_FOR_ROOM_MS, false)
            continue
          }
          const problem =
            error instanceof Failure ? error.problem : context.report('imports upload', error)
          const now = uploads.next(found.number)
          if (!(error instanceof Failure) || now === undefined) stop(request, problem)
          else if (state() !== 'cancelled') await handle(now, problem)
        }
        // The state may still be waiting, but a successful request means that the upload is running
        // again.
        if (state() === 'waiting' && !signal.aborted && failures === 0)
          uploads.setState(found.number, 'uploading', null)
      }
      if (!signal.aborted && state() === 'cancelled') hooks.ended(desk, importId, 'cancelled')
    },
  }
}

// Trusts the JSON because this feature stored it itself.
const problemCode = (json: string): string => (JSON.parse(json) as Problem).code
const problemOf = (json: string | null): Problem => JSON.parse(json ?? '{}') as Problem

function waitingWords(problem: Problem): string {
  switch (problem.code) {
    case 'OFFLINE':
      return 'Connection lost'
    case 'ANSWER_LOST':
      return 'Response lost after sending'
    case 'RATE_LIMITED':
      return 'Slowed down by the service’s rate limit'
    case 'VAULT_LOCKED':
    case 'VAULT_UNSET':
      return 'Waiting for the vault'
    default:
      return 'Waiting'
  }
}
