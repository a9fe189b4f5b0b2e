import type { Account } from '../../../contract/app/accounts.ts'
import type { OpenedExport } from '../../../contract/app/vault.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { failure } from '../../failure.ts'
import { maskKey } from '../../mask-key.ts'
import type { VaultContext } from '../context.ts'
import { openExport, plainExport, sealExport } from './export-file.ts'
import { confirmPlainExport } from './plain-export.ts'
import type { ExportedEntry } from './export-file.ts'
import { scryptCost } from '../keys/passphrase.ts'
import type { ScryptCost } from '../keys/passphrase.ts'
import type { SealedValue } from '../values/sealed-values.ts'
import { localEntry } from '../../local-entry.ts'

type Download = { fileName: string; base64: string }

type ExportContext = Pick<VaultContext, 'vault' | 'clock' | 'random' | 'activity'>
type Collected = { entries: ExportedEntry[]; unreadable: number }

/** Exports stored keys to a file, and opens such files for reading. */
export function createExports(
  context: ExportContext,
  accounts: () => Account[],
  exported: (accountId: string) => Iterable<SealedValue>,
  cost: ScryptCost = scryptCost,
) {
  /** The values of the opened export, as bytes so that they can be wiped. */
  let opened: { exportId: string; values: Buffer[] } | null = null
  function close(): void {
    for (const value of opened?.values ?? []) value.fill(0)
    opened = null
  }
  const collect = (accountId: string | null): Collected =>
    collectKeys(
      context,
      accounts().filter(({ id }) => accountId === null || id === accountId),
      exported,
    )
  const day = (): string => new Date(context.clock.now()).toISOString().slice(0, 10)

  return {
    async sealed(passphrase: string, accountId: string | null = null): Promise<Download> {
      const found = collect(accountId)
      return recordExport(
        context,
        `keys-${day()}.keydesk`,
        await sealExport(found.entries, passphrase, {
          random: context.random,
          cost,
          now: context.clock.now(),
        }),
        found,
        'vault.exported-encrypted',
        accountId,
      )
    },
    plain(typed: string, accountId: string | null = null): Download {
      confirmPlainExport(typed)
      const found = collect(accountId)
      return recordExport(
        context,
        `keys-${day()}-unencrypted.csv`,
        plainExport(found.entries),
        found,
        'vault.exported-plain',
        accountId,
      )
    },
    async open(file: Buffer, passphrase: string): Promise<OpenedExport> {
      const { exportedAt, entries } = await openExport(file, passphrase)
      close()
      opened = {
        exportId: context.random.id(),
        values: entries.map(({ value }) => Buffer.from(value)),
      }
      return {
        exportId: opened.exportId,
        exportedAt,
        entries: entries.map(({ account, mode, kind, facts, value }, index) => ({
          index,
          account,
          mode,
          kind,
          about: aboutOf(facts),
          masked: maskKey(value),
        })),
      }
    },
    reveal(exportId: string, index: number): { value: string } {
      const value = opened?.exportId === exportId ? opened.values[index] : undefined
      if (value === undefined)
        throw failure('NOT_FOUND', 'This export is closed.', 'Open the file again.')
      return { value: value.toString() }
    },
    /** Forgets the opened export and wipes its values. */
    close,
  }
}

/** Every stored key, decrypted, and how many could not be read. */
function collectKeys(
  { vault }: ExportContext,
  accounts: readonly Account[],
  exported: (accountId: string) => Iterable<SealedValue>,
): Collected {
  vault.assertUnlocked()
  const entries: ExportedEntry[] = []
  let unreadable = 0
  for (const { id, name, mode } of accounts) {
    for (const { kind, recordId, sealed, facts } of exported(id)) {
      try {
        const value = vault.open(id, recordId, sealed).toString()
        entries.push({ account: name, mode, kind, value, facts })
      } catch {
        unreadable += 1
      }
    }
  }
  if (entries.length === 0)
    throw failure(
      'NOTHING_KEPT',
      'There are no stored keys to export.',
      'Download the keys of an order first.',
      { effect: 'Nothing was exported.' },
    )
  return { entries, unreadable }
}

/** Records an export in the activity and returns its file. */
function recordExport(
  { activity }: ExportContext,
  fileName: string,
  bytes: Buffer,
  { entries, unreadable }: Collected,
  code: 'vault.exported-encrypted' | 'vault.exported-plain',
  accountId: string | null,
): Download {
  activity.add(
    localEntry({
      accountId,
      what: localized('vault.keys-exported'),
      detail: localized(code, { keys: entries.length, unreadable }),
    }),
  )
  return { fileName, base64: bytes.toString('base64') }
}

const aboutOf = (facts: ExportedEntry['facts']): string =>
  ['order_id', 'line', 'product_id']
    .flatMap((name) =>
      facts[name] == null ? [] : `${name === 'line' ? 'line ' : ''}${facts[name]}`,
    )
    .join(' · ')
