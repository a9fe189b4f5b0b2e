import type { OpenedExport, VaultState } from '../../../../contract/app/vault.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { PlainExportDialog } from '../../../ui/feedback/plain-export-dialog.tsx'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import type { SecretDialogProps } from './secret-dialog.tsx'

export type VaultAction =
  | 'rekey'
  | 'to-keychain'
  | 'to-passphrase'
  | 'recovery-copy'
  | 'recover'
  | 'export'
  | 'export-plain'
  | 'open-export'

type Spec = Omit<SecretDialogProps, 'onClose'>

/** The vault's passphrase as an input of an action; without one, the keychain has the key. */
const presentOf = (wrapped: boolean): { present?: string } =>
  wrapped ? { present: 'Passphrase of the vault' } : {}
const orNull = (wrapped: boolean, passphrase: string): string | null =>
  wrapped ? passphrase : null

/** Replaces the vault's key. */
const rekeySpec = (wrapped: boolean): Spec => ({
  title: 'Replace the vault’s key',
  lead: 'Keydesk encrypts all saved secrets with a new key and deletes the old one.',
  ask: presentOf(wrapped),
  confirmLabel: 'Replace key',
  children: (
    <Notice tone="warn" title="Existing recovery copies stop working.">
      Keydesk also deletes file copies from before updates, because nothing could open them. If
      Keydesk is killed midway, it resumes at the next start.
    </Notice>
  ),
  onConfirm: async ({ present: passphrase }) => {
    const { rekeying } = await rpc.vault.rekey({ passphrase: orNull(wrapped, passphrase) })
    toast(
      rekeying
        ? {
            title: 'Replacing the vault’s key isn’t finished',
            text: 'It resumes when the vault is unlocked. See Activity for details.',
            kind: 'behind',
          }
        : {
            title: 'Vault key replaced',
            text: 'The old key no longer opens anything on this computer.',
          },
    )
  },
})

/** Moves the vault's key to the keychain. */
const toKeychainSpec = (wrapped: boolean): Spec => ({
  title: 'Store the vault’s key in the keychain',
  lead: 'The vault then unlocks with your session on this computer, and its passphrase is discarded.',
  ask: presentOf(wrapped),
  confirmLabel: 'Use the keychain',
  onConfirm: async ({ present: passphrase }) => {
    await rpc.vault.changeProtection({ passphrase, as: { kept: 'keychain' } })
    toast({ title: 'The vault’s key is in the keychain' })
  },
})

/** Sets or changes the vault's passphrase. */
const toPassphraseSpec = (wrapped: boolean): Spec => ({
  title: wrapped ? 'Change the passphrase' : 'Use a passphrase instead of the keychain',
  lead: wrapped
    ? 'The old passphrase stops working.'
    : 'The vault then asks for it at each start, and its keychain entry is deleted.',
  ask: { ...presentOf(wrapped), chosen: wrapped ? 'New passphrase' : 'Passphrase' },
  confirmLabel: 'Use this passphrase',
  children: (
    <Notice tone="warn" title="A lost passphrase can’t be recovered.">
      No one can read the saved keys without it or a recovery copy.
    </Notice>
  ),
  onConfirm: async ({ present: passphrase, chosen }) => {
    await rpc.vault.changeProtection({
      passphrase: orNull(wrapped, passphrase),
      as: { kept: 'passphrase', passphrase: chosen },
    })
    toast({ title: 'Passphrase changed' })
  },
})

/** Saves the vault's key under another passphrase. */
const recoveryCopySpec = (wrapped: boolean): Spec => ({
  title: 'Make a recovery copy',
  lead:
    'The vault’s key as a file with its own passphrase. It unlocks the vault of this ' +
    'data folder if you lose the keychain entry or the passphrase.',
  ask: { ...presentOf(wrapped), chosen: 'Passphrase of the copy' },
  confirmLabel: 'Save copy',
  children: (
    <Notice tone="info" title="Store it away from this computer.">
      Anyone with the copy, its passphrase and this data folder can read every saved key.
    </Notice>
  ),
  onConfirm: async ({ present: passphrase, chosen }) => {
    const { fileName, base64 } = await rpc.vault.recoveryCopy({
      passphrase: orNull(wrapped, passphrase),
      wrapWith: chosen,
    })
    saveFile(fileName, base64)
    toast({
      title: 'Recovery copy downloaded',
      text: 'It works until you replace the vault’s key.',
    })
  },
})

/**
 * Unlocks the vault with a recovery copy. Without a keychain, a new passphrase protects its key from
 * then on.
 */
const recoverSpec = (wrapped: boolean, inKeychain: boolean): Spec => ({
  title: 'Unlock the vault with a recovery copy',
  lead: wrapped
    ? inKeychain
      ? 'You then unlock it with a new passphrase.'
      : 'Without a keychain, you then unlock it with a new passphrase.'
    : 'The keychain then stores its key again.',
  ask: {
    file: 'Recovery copy',
    present: 'Passphrase of the copy',
    ...(wrapped ? { chosen: 'New passphrase of the vault' } : {}),
  },
  confirmLabel: 'Unlock the vault',
  onConfirm: async ({ base64, present: passphrase, chosen }) => {
    await rpc.vault.recover({ base64, passphrase, newPassphrase: wrapped ? chosen : null })
    toast({ title: 'Vault unlocked' })
  },
})

/** Saves all keys as an encrypted file. */
const exportSpec = (): Spec => ({
  title: 'Export saved keys',
  lead: 'All keys of all accounts in one file, encrypted with a passphrase. Any Keydesk can open it.',
  ask: { chosen: 'Passphrase of the file' },
  confirmLabel: 'Save export',
  onConfirm: async ({ chosen }) => {
    const { fileName, base64 } = await rpc.vault.export({
      form: 'sealed',
      passphrase: chosen,
    })
    saveFile(fileName, base64)
    toast({ title: 'Export downloaded', text: 'Activity lists this export.' })
  },
})

/** Saves all keys as a readable table. */
async function exportPlain(typed: string): Promise<void> {
  const { fileName, base64 } = await rpc.vault.export({ form: 'plain', typed })
  saveFile(fileName, base64)
  toast({ title: 'Unencrypted keys downloaded', text: 'Activity lists this export.' })
}

/** Shows the keys of an encrypted export. */
const openExportSpec = (onOpened: (opened: OpenedExport) => void): Spec => ({
  title: 'Open an export',
  lead: 'Shows the keys of an encrypted export from any Keydesk. Nothing is saved.',
  ask: { file: 'Export (.keydesk)', present: 'Passphrase of the file' },
  confirmLabel: 'Open export',
  onConfirm: async ({ base64, present: passphrase }) =>
    onOpened(await rpc.vault.openExport({ base64, passphrase })),
})

/** The inputs, texts and effect of each action. */
function dialogSpec(
  action: Exclude<VaultAction, 'export-plain'>,
  vault: VaultState,
  keychainAvailable: boolean,
  onOpened: (opened: OpenedExport) => void,
): Spec {
  const wrapped = vault.kept === 'passphrase'
  switch (action) {
    case 'rekey':
      return rekeySpec(wrapped)
    case 'to-keychain':
      return toKeychainSpec(wrapped)
    case 'to-passphrase':
      return toPassphraseSpec(wrapped)
    case 'recovery-copy':
      return recoveryCopySpec(wrapped)
    case 'recover':
      return recoverSpec(wrapped || !keychainAvailable, keychainAvailable)
    case 'export':
      return exportSpec()
    case 'open-export':
      return openExportSpec(onOpened)
  }
}

/** The dialog of unlocking the vault with a recovery copy. */
export function RecoverDialog({
  vault,
  keychainAvailable,
  onClose,
}: {
  vault: VaultState
  keychainAvailable: boolean
  onClose: () => void
}) {
  const spec = dialogSpec('recover', vault, keychainAvailable, () => {})
  return <SecretDialog {...spec} onClose={onClose} />
}

/** The dialog of a vault action. */
export function VaultDialog({
  action,
  vault,
  keychainAvailable,
  onOpened,
  onClose,
}: {
  action: VaultAction
  vault: VaultState
  keychainAvailable: boolean
  onOpened: (opened: OpenedExport) => void
  onClose: () => void
}) {
  if (action === 'export-plain')
    return (
      <PlainExportDialog
        account={null}
        what="All keys of all accounts"
        onExport={exportPlain}
        onClose={onClose}
      />
    )
  return (
    <SecretDialog {...dialogSpec(action, vault, keychainAvailable, onOpened)} onClose={onClose} />
  )
}
