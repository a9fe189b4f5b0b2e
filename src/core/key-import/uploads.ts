import type { DoubtChoice } from '../../contract/imports.ts'
import type { CoreContext } from '../context.ts'
import { LOOK_FOR_ROOM_MS } from '../disk-full.ts'
import { createUpload } from './upload.ts'
import type { ImportDesk, UploadHooks } from './upload.ts'

export type { ImportDesk } from './upload.ts'

type Run = {
  done: Promise<void>
  /** Ends a wait, so that the state is looked at again. */ wake(): void
}

/**
 * Sends what the journal holds, one request after another: written down before it leaves, settled
 * after its answer in one transaction, and after a crash, a lost answer or any refusal to serve
 * sent again with the same Idempotency-Key. Where the service takes none, the offer's stock
 * decides.
 */
export function createUploads(
  context: CoreContext,
  deskOf: (accountId: string) => ImportDesk,
  hooks: UploadHooks,
) {
  const runs = new Map<string, Run>()
  /** Accounts whose service may be asked, each until its signal aborts. */
  const open = new Map<string, AbortSignal>()

  /**
   * Lets an upload go on. Does nothing where it runs already, or the account isn't ready: then it
   * goes on when that is.
   */
  function start(accountId: string, importId: string): void {
    const signal = open.get(accountId)
    const running = runs.get(importId)
    if (running !== undefined) return running.wake()
    if (signal === undefined || signal.aborted) return
    let wake = new AbortController()
    const upload = createUpload(context, deskOf(accountId), importId, hooks, signal, () => {
      if (wake.signal.aborted) wake = new AbortController()
      return wake.signal
    })
    const run: Run = {
      wake: () => wake.abort(),
      done: upload
        .run()
        .catch(async (error: unknown) => {
          if (!context.diskSpace.isCausedBy(error))
            return upload.fail(context.report('imports upload', error))
          await new Promise<void>((resolve) => {
            context.clock.after(LOOK_FOR_ROOM_MS, resolve)
          })
        })
        .finally(() => {
          runs.delete(importId)
          // Resumed, or the account ready again, in the very moment in which it came to its end.
          if (
            open.has(accountId) &&
            deskOf(accountId)
              .uploads.active()
              .some((each) => each.importId === importId)
          )
            start(accountId, importId)
        }),
    }
    runs.set(importId, run)
  }

  return {
    start,
    /**
     * Carries out what a person decided about a request in doubt, while the upload stands still.
     */
    async decide(accountId: string, importId: string, choice: DoubtChoice): Promise<void> {
      const ended = new AbortController()
      await createUpload(
        context,
        deskOf(accountId),
        importId,
        hooks,
        ended.signal,
        () => ended.signal,
      ).decide(choice)
    },
    /** The account may be asked from now on, until `signal` aborts: unfinished uploads go on. */
    open(accountId: string, signal: AbortSignal): void {
      open.set(accountId, signal)
      signal.addEventListener(
        'abort',
        () => {
          if (open.get(accountId) === signal) open.delete(accountId)
        },
        { once: true },
      )
      for (const { importId } of deskOf(accountId).uploads.active()) start(accountId, importId)
    },
    wake: (importId: string): void => runs.get(importId)?.wake(),
    isRunning: (importId: string): boolean => runs.has(importId),
    /** Resolves when this upload's loop has ended; ask it to end first. */
    settled: async (importId: string): Promise<void> => runs.get(importId)?.done,
    async close(): Promise<void> {
      await Promise.allSettled([...runs.values()].map(({ done }) => done))
    },
  }
}
