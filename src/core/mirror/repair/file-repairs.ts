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
    const syncAgain =
      'Keydesk is syncing it again from the service. Keys, imports and orders are intact. Price histories start over.'
    const [what, code, detail] = {
      mirror: ['The account’s local database was damaged', 'MIRROR_DAMAGED', syncAgain] as const,
      catalogue: [
        'The catalogue’s local database was damaged',
        'CATALOGUE_DAMAGED',
        syncAgain,
      ] as const,
      journal: [
        'The account’s journal was damaged',
        'JOURNAL_DAMAGED',
        damage.place === 'journal' ? journalDetail(damage.carried, damage.lost) : '',
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

const journalDetail = (carried: number, lost: readonly string[]): string =>
  [
    `${carried.toLocaleString('en')} ${carried === 1 ? 'record' : 'records'} carried over.`,
    lost.length === 0
      ? 'Nothing was lost.'
      : `Not fully readable: ${lost.join(', ')}. The damaged file is saved in the same folder.`,
  ].join(' ')
