import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Activity } from '../activity/activity.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { Attention } from '../context.ts'
import { failure } from '../failure.ts'
import type { Host } from '../../platform/host.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { SettingsStore } from '../settings/settings.ts'

/** The time between the response to a restart request and the restart, in milliseconds. */
const RESTART_AFTER_MS = 100

/** The prefix under which a table's settings are stored, followed by its ID. */
const TABLE = 'table '

/** Implements the app contract. */
export function createAppRouter(parts: {
  host: Host
  settings: SettingsStore
  jobs: Jobs
  activity: Activity
  changes: Changes
  attention: Attention
  diskSpace: { isFull(): boolean }
  clock: Clock
  closing: AbortSignal
}) {
  const { host, settings, jobs, activity, changes } = parts
  const os = implement(contract.app)
  return os.router({
    info: os.info.handler(async () => ({
      version: host.version,
      host: host.kind,
      platform: process.platform,
      dataFolder: host.dataDir,
      keychain: await host.keychain.probe(),
    })),
    settings: os.settings.handler(() => settings.get()),
    restart: os.restart.handler(() => {
      if (host.restart === undefined)
        throw failure(
          'CONFLICT',
          'Keydesk can’t restart automatically here.',
          'Quit Keydesk and start it again.',
          { effect: 'Nothing was changed.' },
        )
      // The response must be sent before the connection closes.
      parts.clock.after(RESTART_AFTER_MS, () => host.restart?.())
    }),
    changeSettings: os.changeSettings.handler(({ input }) => settings.change(input)),
    tables: os.tables.handler(() => settings.recallAll(TABLE)),
    saveTable: os.saveTable.handler(({ input }) =>
      settings.remember(TABLE + input.tableId, input.choice),
    ),
    diskSpace: os.diskSpace.handler(() => ({ full: parts.diskSpace.isFull() })),
    jobs: os.jobs.handler(() => jobs.list()),
    actOnJob: os.actOnJob.handler(async ({ input }) => {
      await jobs.act(input.jobId, input.action)
      return jobs.list()
    }),
    activity: os.activity.handler(({ input }) => activity.latest(input.accountId, input.limit)),
    markViewed: os.markViewed.handler(({ input }) => {
      for (const topic of input.topics) parts.attention.markViewed(input.accountId, topic)
    }),
    changes: os.changes.handler(({ signal }) =>
      changes.listen(
        signal === undefined ? parts.closing : AbortSignal.any([signal, parts.closing]),
      ),
    ),
  })
}
