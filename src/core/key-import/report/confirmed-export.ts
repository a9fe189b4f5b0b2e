import { localized } from '../../../contract/localization/localized.ts'
import { confirmPlainExport } from '../../vault/vault.ts'
import type { KeyImportContext } from '../context.ts'
import type { FoundImport, ImportRegistry } from '../import-registry.ts'
import { localEntry } from '../../local-entry.ts'

const details = {
  rejected: 'imports.rejected-lines-plain',
  remaining: 'imports.remaining-lines-plain',
  unaccepted: 'imports.rejected-keys-plain',
} as const

/** Exports lines or keys of an import unencrypted, after the typed confirmation. */
export function createConfirmedExport(
  context: Pick<KeyImportContext, 'vault' | 'activity'>,
  { find }: Pick<ImportRegistry, 'find'>,
) {
  /**
   * Reads the files while the vault is open, and records the export.
   *
   * @throws Failure `INVALID_INPUT` for other words, `VAULT_LOCKED`, or what `read` throws
   */
  return async <Files>(
    { importId, typed }: { importId: string; typed: string },
    what: keyof typeof details,
    read: (found: FoundImport) => Files | Promise<Files>,
  ): Promise<Files> => {
    confirmPlainExport(typed)
    const found = find(importId)
    const files = await context.vault.holdUnlocked(async () => read(found))
    context.activity.add(
      localEntry({
        accountId: found.session.accountId,
        what: localized('imports.keys-exported'),
        detail: localized(details[what], { number: found.row.number }),
      }),
    )
    return files
  }
}
export type ConfirmedExport = ReturnType<typeof createConfirmedExport>
