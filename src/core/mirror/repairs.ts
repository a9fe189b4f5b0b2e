import type { Host } from '../../platform/host.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { ActivityLog, Attention } from '../context.ts'
import type { Damage, MirrorFiles } from './mirrors.ts'
import { checkFiles } from './wholeness.ts'

/**
 * The mirrors are looked through when the start is over and the first page is drawn, in
 * milliseconds after it.
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
 * Finds damaged files and mends them: a mirror is read again from the service, of a journal what
 * can be read is carried over. Tells what was damaged.
 */
export function createRepairs({
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
    const again =
      'It is read again from the service. Keys, imports and orders under way are untouched; price histories begin anew.'
    const [what, code, detail] = {
      mirror: ['The mirror was damaged', 'MIRROR_DAMAGED', again] as const,
      catalogue: ['The catalogue’s file was damaged', 'CATALOGUE_DAMAGED', again] as const,
      journal: [
        'The journal was damaged',
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
    await accounts.restart(accountId, () => mirrors.renew(accountId, place))
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
              rest: attention.whenIdle,
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
      ? 'Nothing is missing.'
      : `Not read to their end: ${lost.join(', ')}. The damaged file is kept beside it.`,
  ].join(' ')
