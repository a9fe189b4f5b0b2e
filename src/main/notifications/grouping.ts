import type { DesktopNotification } from '../../platform/notifications.ts'

/** One desktop notification, for one event or for several of a kind. */
export type GroupedNotification = {
  title: string
  body: string
  path: string
  accountId: string | null
}

/**
 * Notices of the same kind and account within this time after the first become one notification, in
 * milliseconds.
 */
const GROUP_MS = 1500
/** The number of notices that are named in one notification; the others are counted. */
const MAX_NAMED = 3

/**
 * Collects notices and shows them as few notifications.
 *
 * @param after runs work later
 */
export function createGrouping(
  after: (work: () => void, ms: number) => void,
  show: (shown: GroupedNotification) => void,
) {
  const waiting = new Map<string, DesktopNotification[]>()
  return {
    tell(notice: DesktopNotification): void {
      const key = `${notice.accountId} ${notice.kind}`
      const group = waiting.get(key)
      if (group !== undefined) return void group.push(notice)
      waiting.set(key, [notice])
      after(() => {
        const all = waiting.get(key) ?? []
        waiting.delete(key)
        show(combine(all, notice))
      }, GROUP_MS)
    },
  }
}

/** Several notices lead to the page that lists them; a single one leads to its own row. */
function combine(
  all: readonly DesktopNotification[],
  first: DesktopNotification,
): GroupedNotification {
  const { title, text, account, accountId, path } = first
  if (all.length === 1) return { title, body: `${text}\n${account}`, path, accountId }
  const named = all.slice(0, MAX_NAMED).map((notice) => notice.title)
  const others = all.length - named.length
  return {
    title: `${title}, and ${all.length - 1} more`,
    body: [...named.slice(1), ...(others > 0 ? [`and ${others} more`] : []), account].join('\n'),
    path: `/${path.split('/')[1] ?? ''}`,
    accountId,
  }
}
