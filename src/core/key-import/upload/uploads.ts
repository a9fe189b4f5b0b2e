import type { DoubtChoice } from '../../../contract/keys/import-records.ts'
import { pause } from '../../clock.ts'
import { DISK_CHECK_MS } from '../../disk-full.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { KeyImportContext } from '../context.ts'
import { createUpload } from './upload.ts'
import type { AccountImports, UploadHooks } from './upload-run.ts'

type Run = {
  done: Promise<void>
  /** Interrupts a wait so that the state is checked again. */ wake(): void
}

/**
 * Sends the journal's requests one after another. Each is saved before it is sent and settled after
 * its response in one transaction. After a crash, a lost response or a refusal it is sent again
 * with the same Idempotency-Key. If the service doesn't support these keys, the offer's stock
 * decides.
 */
export function createUploads(
  context: KeyImportContext,
  sessionOf: (accountId: string) => AccountImports,
  hooks: UploadHooks,
) {
  const runs = new Map<string, Run>()
  /** Accounts whose service is reachable, each until its scope ends. */
  const open = new Map<string, Scope>()

  /**
   * Starts or resumes an upload. Does nothing if it is running, or if the account isn't ready: it
   * then starts when the account is ready.
   */
  function start(accountId: string, importId: string): void {
    const scope = open.get(accountId)
    const running = runs.get(importId)
    if (running !== undefined) return running.wake()
    if (scope === undefined || scope.signal.aborted) return
    const { signal } = scope
    let wake = new AbortController()
    const upload = createUpload(context, sessionOf(accountId), importId, hooks, signal, () => {
      if (wake.signal.aborted) wake = new AbortController()
      return wake.signal
    })
    const run: Run = {
      wake: () => wake.abort(),
      done: scope.spawn(
        upload
          .run()
          .catch(async (error: unknown) => {
            if (!context.diskSpace.isCausedBy(error))
              return upload.fail(context.report('imports upload', error))
            await pause(context.clock, DISK_CHECK_MS, signal)
          })
          .finally(() => {
            runs.delete(importId)
            // The upload was resumed, or the account became ready, just as the run ended.
            if (
              open.get(accountId)?.signal.aborted === false &&
              sessionOf(accountId)
                .uploads.active()
                .some((each) => each.importId === importId)
            )
              start(accountId, importId)
          }),
      ),
    }
    runs.set(importId, run)
  }

  /** An upload whose loop isn't running. */
  function resting(accountId: string, importId: string) {
    const { signal } = new AbortController()
    return createUpload(context, sessionOf(accountId), importId, hooks, signal, () => signal)
  }

  return {
    start,
    /** Applies the user's decision about a request in doubt while the upload is stopped. */
    async decide(accountId: string, importId: string, choice: DoubtChoice): Promise<void> {
      await resting(accountId, importId).decide(choice)
    },
    /** Ends an upload that isn't running. */
    cancel: (accountId: string, importId: string): void => resting(accountId, importId).cancel(),
    /** Opens the account until `scope` ends, and resumes its unfinished uploads. */
    open(accountId: string, scope: Scope): void {
      open.set(accountId, scope)
      for (const { importId } of sessionOf(accountId).uploads.active()) start(accountId, importId)
    },
    wake: (importId: string): void => runs.get(importId)?.wake(),
    isRunning: (importId: string): boolean => runs.has(importId),
    /** Resolves when this upload's loop has ended; ask it to stop first. */
    settled: async (importId: string): Promise<void> => runs.get(importId)?.done,
  }
}
