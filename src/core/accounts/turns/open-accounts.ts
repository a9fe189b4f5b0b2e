import { os } from '@orpc/server'
import type { Turns } from './turns.ts'

/** Procedures that need no files of the account that they name. */
const withoutFiles = ['app.', 'activity.', 'accounts.connection', 'accounts.rename']

type Parts = {
  accounts: { has(accountId: string): boolean; use: Turns['use'] }
  /** The account that the window shows. */
  currentId: () => string | null
  /** Whether a procedure changes nothing that work depends on. */
  isReading: (path: readonly string[]) => boolean
  /** The account of an import; null if there is no such import. */
  accountOfImport: (importId: string) => string | null
}

/**
 * Keeps the files of an account open during every request that names it. A request that changes
 * something also wakes the account, so that the work it starts is carried out.
 */
export const openAccounts = ({ accounts, currentId, isReading, accountOfImport }: Parts) =>
  os.$context<Record<never, never>>().middleware(async ({ next, path }, input: unknown) => {
    const name = path.join('.')
    if (withoutFiles.some((start) => name.startsWith(start))) return next()
    const { accountId = null, importId = null } = namesIn(input)
    const id = accountId ?? (importId === null ? null : accountOfImport(importId))
    if (id === null || !accounts.has(id)) return next()
    return accounts.use(id, !isReading(path) || id === currentId(), async () => await next())
  })

function namesIn(input: unknown): { accountId?: string; importId?: string } {
  if (typeof input !== 'object' || input === null) return {}
  const text = (name: string): string | undefined => {
    const value: unknown = Reflect.get(input, name)
    return typeof value === 'string' ? value : undefined
  }
  const [accountId, importId] = [text('accountId'), text('importId')]
  return {
    ...(accountId === undefined ? {} : { accountId }),
    ...(importId === undefined ? {} : { importId }),
  }
}
