import { PLAIN_EXPORT_WORDS } from '../../../contract/vault.ts'
import type { OpenedExport, VaultState } from '../../../contract/vault.ts'
import { rpc } from '../../lib/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'
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

/** What each action asks for and does. */
function specOf(
  action: VaultAction,
  vault: VaultState,
  onOpened: (opened: OpenedExport) => void,
): Spec {
  const wrapped = vault.kept === 'passphrase'
  const present = wrapped ? { present: 'Passphrase of the vault' } : {}
  const orNull = (passphrase: string): string | null => (wrapped ? passphrase : null)
  switch (action) {
    case 'rekey':
      return {
        title: 'Give the vault a new key',
        lead: 'Everything that is kept is sealed under a new key, and the old one is forgotten.',
        ask: present,
        confirmLabel: 'Make a new key',
        children: (
          <Notice tone="warn" title="Recovery copies made before stop working.">
            Copies of files from before updates are deleted too: nothing could open them any more.
            Killed in the middle, it goes on when Keydesk starts.
          </Notice>
        ),
        onConfirm: async ({ present: passphrase }) => {
          const { rekeying } = await rpc.vault.rekey({ passphrase: orNull(passphrase) })
          toast(
            rekeying
              ? {
                  title: 'The new key is not everywhere yet',
                  text: 'It goes on when the vault is open. Activity tells more.',
                  kind: 'behind',
                }
              : {
                  title: 'The vault has a new key',
                  text: 'The old one opens nothing here any more.',
                },
          )
        },
      }
    case 'to-keychain':
      return {
        title: 'Keep the vault’s key in the keychain',
        lead: 'The vault then opens with your session on this machine, and its passphrase is forgotten.',
        ask: present,
        confirmLabel: 'Use the keychain',
        onConfirm: async ({ present: passphrase }) => {
          await rpc.vault.keep({ passphrase, as: { kept: 'keychain' } })
          toast({ title: 'The keychain keeps the vault’s key' })
        },
      }
    case 'to-passphrase':
      return {
        title: wrapped ? 'Change the passphrase' : 'Use a passphrase instead of the keychain',
        lead: wrapped
          ? 'The old one opens nothing here any more.'
          : 'The vault then asks for it at each start, and its keychain entry is deleted.',
        ask: { ...present, chosen: wrapped ? 'New passphrase' : 'Passphrase' },
        confirmLabel: 'Use this passphrase',
        children: (
          <Notice tone="warn" title="It can’t be recovered.">
            Without it, and without a recovery copy, the keys kept here can’t be read by anyone.
          </Notice>
        ),
        onConfirm: async ({ present: passphrase, chosen }) => {
          await rpc.vault.keep({
            passphrase: orNull(passphrase),
            as: { kept: 'passphrase', passphrase: chosen },
          })
          toast({ title: 'The passphrase opens the vault from now on' })
        },
      }
    case 'recovery-copy':
      return {
        title: 'Make a recovery copy',
        lead: 'The vault’s key as a file, under a passphrase of its own. It opens the vault of this data folder when the keychain is lost or the passphrase forgotten.',
        ask: { ...present, chosen: 'Passphrase of the copy' },
        confirmLabel: 'Save the copy',
        children: (
          <Notice tone="info" title="Keep it away from this machine.">
            Whoever has the copy, its passphrase and this data folder can read every kept key.
          </Notice>
        ),
        onConfirm: async ({ present: passphrase, chosen }) => {
          const { fileName, base64 } = await rpc.vault.recoveryCopy({
            passphrase: orNull(passphrase),
            wrapWith: chosen,
          })
          saveFile(fileName, base64)
          toast({
            title: 'The recovery copy was given to the browser',
            text: 'It works until the vault gets a new key.',
          })
        },
      }
    case 'recover':
      return {
        title: 'Open the vault with its recovery copy',
        lead: wrapped
          ? 'Afterwards a new passphrase opens it.'
          : 'Afterwards the keychain holds its key again.',
        ask: {
          file: 'Recovery copy',
          present: 'Passphrase of the copy',
          ...(wrapped ? { chosen: 'New passphrase of the vault' } : {}),
        },
        confirmLabel: 'Open the vault',
        onConfirm: async ({ base64, present: passphrase, chosen }) => {
          await rpc.vault.recover({ base64, passphrase, newPassphrase: wrapped ? chosen : null })
          toast({ title: 'The vault is open again' })
        },
      }
    case 'export':
      return {
        title: 'Export the kept keys',
        lead: 'All keys of all accounts in one file, encrypted with a passphrase. Any Keydesk can open it.',
        ask: { chosen: 'Passphrase of the file' },
        confirmLabel: 'Save the export',
        onConfirm: async ({ chosen }) => {
          const { fileName, base64 } = await rpc.vault.export({
            form: 'sealed',
            passphrase: chosen,
          })
          saveFile(fileName, base64)
          toast({ title: 'The export was given to the browser', text: 'Written to Activity.' })
        },
      }
    case 'export-plain':
      return {
        title: 'Export the kept keys in clear',
        lead: 'All keys of all accounts as a table (CSV). Anyone who gets the file can use them.',
        ask: { typed: PLAIN_EXPORT_WORDS },
        confirmLabel: 'Save them in clear',
        final: true,
        children: (
          <Notice tone="bad" title="Nothing protects this file.">
            Delete it when you are done; a deleted file can often be brought back.
          </Notice>
        ),
        onConfirm: async ({ typed }) => {
          const { fileName, base64 } = await rpc.vault.export({
            form: 'plain',
            typed: typed.trim(),
          })
          saveFile(fileName, base64)
          toast({
            title: 'The keys were given to the browser in clear',
            text: 'Written to Activity.',
          })
        },
      }
    case 'open-export':
      return {
        title: 'Read an export',
        lead: 'Keys of an encrypted export of this or another desk. They are shown and not kept.',
        ask: { file: 'Export (.keydesk)', present: 'Passphrase of the file' },
        confirmLabel: 'Open it',
        onConfirm: async ({ base64, present: passphrase }) =>
          onOpened(await rpc.vault.openExport({ base64, passphrase })),
      }
  }
}

/** The dialog of an action on the vault. */
export function VaultDialog({
  action,
  vault,
  onOpened,
  onClose,
}: {
  action: VaultAction
  vault: VaultState
  onOpened: (opened: OpenedExport) => void
  onClose: () => void
}) {
  return <SecretDialog {...specOf(action, vault, onOpened)} onClose={onClose} />
}
