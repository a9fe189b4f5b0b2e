import { join } from 'node:path'
import type { Problem } from '../../../contract/base.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { storedAgeMs } from '../../clock.ts'
import type { KeyImportContext } from '../context.ts'
import type { UndoOffers } from '../undo/undo.ts'
import { removeFiles } from '../receive/receiving.ts'
import type { AccountImports, UploadHooks } from './upload-run.ts'

type Parts = {
  context: KeyImportContext
  offers: Pick<UndoOffers, 'syncNow'>
  changed: UploadHooks['changed']
  isReturn(accountId: string, importId: string): boolean
  /** Called when the upload of an undo has finished. */
  returned(accountId: string, importId: string): void
  /** Checks drafts again that may contain the same keys. */
  recheck(accountId: string): void
}

/** Notifies, logs and cleans up when an upload finishes or stops. */
export function createUploadEvents({
  context,
  offers,
  changed,
  isReturn,
  returned,
  recheck,
}: Parts): UploadHooks {
  function ended(session: AccountImports, importId: string, state: 'done' | 'cancelled'): void {
    const row = session.drafts.find(importId)
    if (row === undefined) return
    const now = context.clock.now()
    const { keys, keysSettled, keysInDoubt: doubtful } = session.uploads.totals(row.number)
    const added = session.uploads.offers(row.number).reduce((sum, offer) => sum + offer.added, 0)
    const counts = localized('imports.added', { added, keys })
    if (state === 'done') {
      session.uploads.setState(row.number, 'done', null, now)
      session.uploads.note(row.number, now, localized('imports.upload-finished'), counts)
      if (!isReturn(session.accountId, importId))
        context.notices.notify({
          accountId: session.accountId,
          kind: 'import-done',
          title: localized('imports.done', { added }),
          text: localized('imports.added-sentence', { added, keys }),
          path: `/import/${importId}`,
        })
    }
    context.activity.add({
      accountId: session.accountId,
      what: localized(state === 'done' ? 'imports.keys-uploaded' : 'imports.upload-canceled'),
      detail:
        state === 'done'
          ? counts
          : doubtful === 0
            ? localized('imports.added-not-sent', { added, keys, unsent: keys - keysSettled })
            : localized('imports.added-in-doubt', {
                added,
                keys,
                doubtful,
                unsent: keys - keysSettled - doubtful,
              }),
      outcome: 'ok',
      code: null,
      status: null,
      requestId: null,
      durationMs: storedAgeMs(context.clock, row.started_at ?? now),
    })
    void removeFiles([join(session.folder(importId), 'plan')]).catch((error: unknown) =>
      context.report('imports erase', error),
    )
    context.changes.notify('offers', session.accountId)
    void offers
      .syncNow(session.accountId)
      .catch((error: unknown) => context.report('imports stock', error))
    changed(session.accountId, importId)
    returned(session.accountId, importId)
    recheck(session.accountId)
  }

  function stopped({ accountId }: AccountImports, importId: string, problem: Problem): void {
    context.notices.notify({
      accountId,
      kind: 'import-stopped',
      title: localized('imports.needs-attention'),
      text: localized('text', { text: problem.what }),
      path: `/import/${importId}`,
    })
  }

  return { changed, ended, stopped }
}
