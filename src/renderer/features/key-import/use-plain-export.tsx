import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAccount } from '../../lib/account/current-account.ts'
import { saveFile } from '../../lib/save-file.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { PlainExportDialog } from '../../ui/feedback/plain-export-dialog.tsx'

type SavedFile = { fileName: string; base64: string }

/**
 * Saves lines or keys of an import unencrypted: opens the vault, then asks for the typed words.
 *
 * @param what Names them, for example "2 rejected lines of import 3".
 * @param read Reads the files; the core checks the typed words.
 */
export function usePlainExport(
  what: string,
  read: (typed: string) => Promise<SavedFile[]>,
): { ask: () => void; dialog: ReactNode } {
  const account = useAccount()
  const [asking, setAsking] = useState(false)
  return {
    ask: () => void openVault().then(setAsking),
    dialog: asking ? (
      <PlainExportDialog
        account={account}
        what={what}
        onExport={async (typed) => {
          for (const { fileName, base64 } of await read(typed)) saveFile(fileName, base64)
        }}
        onClose={() => setAsking(false)}
      />
    ) : null,
  }
}
