import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { formatMessage } from '../../contract/localization/localized.ts'
import type { Activity, Redactor } from '../activity/activity.ts'
import type { CoreContext } from '../context.ts'
import type { VaultFeature } from '../vault/vault.ts'

type DiagnosticsContext = Pick<
  CoreContext,
  'host' | 'clock' | 'accounts' | 'mirrors' | 'jobs' | 'settings' | 'connection'
>

type Parts = {
  context: DiagnosticsContext
  activity: Pick<Activity, 'latest'>
  vault: Pick<VaultFeature, 'state'>
  redactor: Pick<Redactor, 'clean'>
}

/** Number of activity entries and of log characters in one bundle. */
const ENTRIES = 500
const LOG_LENGTH = 64 * 1024

const host = (address: string): string => (URL.canParse(address) ? new URL(address).host : '')

function tablesOf(database: Database): Record<string, number> {
  return Object.fromEntries(
    database
      .prepare<[], { feature: string; version: number }>(
        'SELECT feature, version FROM schema_version ORDER BY feature',
      )
      .all()
      .map(({ feature, version }) => [feature, version]),
  )
}

/**
 * The data a bug report needs, as JSON: versions, computer, settings, accounts by number (never by
 * name), running jobs, the latest activity and the end of the log. The redactor has masked every
 * text, as it did for the log and the activity.
 */
export function createDiagnostics({ context, activity, vault, redactor }: Parts) {
  const logEnd = (): string[] => {
    const path = join(context.host.dataDir, 'logs', 'keydesk.log')
    return existsSync(path)
      ? readFileSync(path, 'utf8').slice(-LOG_LENGTH).split('\n').filter(Boolean)
      : []
  }
  return {
    async make(): Promise<{ fileName: string; text: string }> {
      const { clock, accounts, settings, jobs, mirrors, connection: line } = context
      const list = accounts.list()
      const numberOf = (accountId: string | null): string | null =>
        accountId === null
          ? null
          : list.some(({ id }) => id === accountId)
            ? `account ${list.findIndex(({ id }) => id === accountId) + 1}`
            : 'removed account'
      const { currentAccountId, ...chosen } = settings.get()
      const bundle = {
        madeAt: new Date(clock.now()).toISOString(),
        keydesk: context.host.version,
        host: context.host.kind,
        machine: {
          platform: process.platform,
          arch: process.arch,
          node: process.versions.node,
          sqlite:
            list[0] === undefined
              ? null
              : mirrors.glance(list[0].id, (database) =>
                  database.prepare('SELECT sqlite_version()').pluck().get(),
                ),
          memoryBytes: process.memoryUsage.rss(),
        },
        keychain: await context.host.keychain.probe(),
        vault: vault.state(),
        settings: { ...chosen, currentAccount: numberOf(currentAccountId) },
        accounts: list.map(({ id, role, mode, baseUrl, keyKept, state }) => ({
          account: numberOf(id),
          role,
          mode,
          service: host(baseUrl),
          keyKept,
          state,
          line: line(id).state(),
          tables: mirrors.glance(id, tablesOf),
        })),
        jobs: jobs.list().map(({ accountId, title: _title, ...job }) => ({
          ...job,
          account: numberOf(accountId),
        })),
        activity: activity
          .latest(null, ENTRIES)
          .map(({ accountId, at, what, detail, ...entry }) => ({
            at: new Date(at).toISOString(),
            account: numberOf(accountId),
            what: formatMessage(what),
            detail: detail === null ? '' : formatMessage(detail),
            ...entry,
          })),
        log: logEnd(),
      }
      return {
        fileName: `keydesk-diagnostics-${bundle.madeAt.slice(0, 10)}.json`,
        text: redactor.clean(JSON.stringify(bundle, null, 2)),
      }
    },
  }
}
export type Diagnostics = ReturnType<typeof createDiagnostics>
