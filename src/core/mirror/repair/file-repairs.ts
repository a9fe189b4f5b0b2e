import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import type { Host } from '../../../platform/host.ts'
import type { Changes } from '../../changes.ts'
import type { Clock } from '../../clock.ts'
import type { ActivityLog, Attention, Notifier } from '../../context.ts'
import type { Damage, MirrorFiles } from '../files/mirrors.ts'
import { checkFiles } from './file-check.ts'
import { localEntry } from '../../local-entry.ts'

/**
 * Milliseconds after start to check the files, when startup is over and the first page is drawn.
 */
const CHECK_AFTER_MS = 3000

type Parts = {
  host: Pick<Host, 'workerPath'>
  clock: Clock
  activity: ActivityLog
  notices: Notifier
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
 * Finds and repairs damaged files, and reports each in the activity and by a notice. Mirrors are synced again from the
 * service; readable journal records are carried over.
 */
export function createFileRepairs({
  host,
  clock,
  activity,
  notices,
  attention,
  changes,
  mirrors,
  accounts,
  report,
}: Parts) {
  const ending = new AbortController()
  let cancel = (): void => {}

  function found(accountId: string, damage: Damage): void {
    const { kept } = damage
    const syncAgain = localized('mirror.syncing-again-kept', { kept })
    const [what, code, detail] = {
      mirror: [localized('mirror.mirror-damaged'), 'MIRROR_DAMAGED', syncAgain] as const,
      catalogue: [localized('mirror.catalogue-damaged'), 'CATALOGUE_DAMAGED', syncAgain] as const,
      journal: [
        localized('mirror.journal-damaged'),
        'JOURNAL_DAMAGED',
        damage.place === 'journal' ? journalDetail(damage) : syncAgain,
      ] as const,
    }[damage.place]
    notices.notify({
      accountId,
      kind: 'file-repaired',
      title: what,
      text: detail,
      path: '/activity',
    })
    activity.add(
      localEntry({
        accountId,
        what,
        detail,
        outcome: 'failed',
        code,
      }),
    )
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

const journalDetail = ({ carried, lost, kept }: Extract<Damage, { place: 'journal' }>): Localized =>
  lost.length === 0
    ? localized('mirror.journal-intact-kept', { carried, kept })
    : localized('mirror.journal-incomplete-kept', { carried, tables: lost.join(', '), kept })
