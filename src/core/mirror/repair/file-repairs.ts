import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import type { Host } from '../../../platform/host.ts'
import type { Changes } from '../../changes.ts'
import type { Clock } from '../../clock.ts'
import type { ActivityLog, Attention } from '../../context.ts'
import type { Damage, MirrorFiles } from '../files/mirrors.ts'
import { checkFiles } from './file-check.ts'

/**
 * Milliseconds after start to check the files, when startup is over and the first page is drawn.
 */
const CHECK_AFTER_MS = 3000

type Parts = {
  host: Pick<Host, 'workerPath'>
  clock: Clock
  activity: ActivityLog
  attention: Attention
  changes: Changes
  mirrors: MirrorFiles
  accounts: {
    list(): { id: string }[]
    restart(accountId: string, between: () => void): Promise<void>
  }
  report: (where: string, error: unknown) => void
}

/**
 * Finds and repairs damaged files, and logs each in the activity. Mirrors are synced again from the
 * service; readable journal records are carried over.
 */
export function createFileRepairs({
  host,
  clock,
  activity,
  attention,
  changes,
  mirrors,
  accounts,
  report,
}: Parts) {
  const ending = new AbortController()
  let cancel = (): void => {}

  function found(accountId: string, damage: Damage): void {
    const syncAgain = localized('mirror.syncing-again')
    const [what, code, detail] = {
      mirror: [localized('mirror.mirror-damaged'), 'MIRROR_DAMAGED', syncAgain] as const,
      catalogue: [localized('mirror.catalogue-damaged'), 'CATALOGUE_DAMAGED', syncAgain] as const,
      journal: [
        localized('mirror.journal-damaged'),
        'JOURNAL_DAMAGED',
        damage.place === 'journal' ? journalDetail(damage.carried, damage.lost) : null,
      ] as const,
    }[damage.place]
    activity.add({
      accountId,
      what,
      detail,
      outcome: 'failed',
      code,
      status: null,
      requestId: null,
      durationMs: null,
    })
  }

  async function repair(accountId: string, place: Damage['place']): Promise<void> {
    await accounts.restart(accountId, () => mirrors.replaceDamaged(accountId, place))
    for (const topic of ['catalogue', 'imports', 'offers', 'orders', 'sync'] as const)
      changes.notify(topic, accountId)
  }

  return {
    found,
    begin(): void {
      cancel = clock.after(
        CHECK_AFTER_MS,
        () =>
          void checkFiles(
            {
              worker: () => host.workerPath('mirror-check'),
              accounts: () => accounts.list().map(({ id }) => id),
              files: {
                mirror: mirrors.path,
                catalogue: mirrors.cataloguePath,
                journal: mirrors.journalPath,
              },
              repair,
              whenIdle: attention.whenIdle,
              report,
            },
            ending.signal,
          ),
      )
    },
    end(): void {
      cancel()
      ending.abort()
    },
  }
}

const journalDetail = (carried: number, lost: readonly string[]): Localized =>
  lost.length === 0
    ? localized('mirror.journal-intact', { carried })
    : localized('mirror.journal-incomplete', { carried, tables: lost.join(', ') })
