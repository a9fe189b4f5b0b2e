import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import type { OpenedExport, VaultState } from '../../../contract/vault.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { StatusTag } from '../../ui/status-tag.tsx'
import { toastProblem } from '../../ui/toasts.tsx'
import { useChangeSettings, useDesk } from '../use-desk.ts'
import { lockVault } from '../vault-watch.tsx'
import { NumberSetting } from './number-setting.tsx'
import { OpenedExportDialog } from './opened-export.tsx'
import styles from './settings.module.css'
import { VaultDialog } from './vault-dialogs.tsx'
import type { VaultAction } from './vault-dialogs.tsx'

const words: Record<VaultState['state'], { text: string; tone: 'ok' | 'neutral' | 'warn' }> = {
  open: { text: 'Open', tone: 'ok' },
  locked: { text: 'Locked', tone: 'neutral' },
  unset: { text: 'Not set up', tone: 'warn' },
}

function Row({ name, text, children }: { name: ReactNode; text: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <div>
        <b>{name}</b>
        <p>{text}</p>
      </div>
      <div className={styles.buttons}>{children}</div>
    </div>
  )
}

/** The vault: its lock, its key, and the ways in which its keys leave. */
export function VaultSection({
  vault,
  keychain,
}: {
  vault: VaultState
  keychain: { available: boolean; name: string }
}) {
  const [action, setAction] = useState<VaultAction | null>(null)
  const [opened, setOpened] = useState<OpenedExport | null>(null)
  const client = useQueryClient()
  const { settings } = useDesk()
  const inBrowser = useQuery(api.app.info.queryOptions()).data?.host === 'browser'
  const change = useChangeSettings()
  const turn = useMutation({
    mutationFn: async () => {
      if (vault.state === 'open') await lockVault()
      else await openVault()
    },
    onError: (error) => {
      toastProblem(problemOf(error))
    },
    onSettled: () => client.invalidateQueries({ queryKey: api.vault.key() }),
  })
  /** Most actions need the vault open: they open it first. */
  const begin = async (wanted: VaultAction): Promise<void> => {
    try {
      if (wanted === 'recover' || wanted === 'open-export' || (await openVault())) setAction(wanted)
    } catch (error) {
      toastProblem(problemOf(error))
    }
  }
  const close = useCallback(() => setOpened(null), [])
  const isOpen = vault.state === 'open'
  const byPassphrase = vault.kept === 'passphrase'
  const { text, tone } = words[vault.state]
  return (
    <section>
      <h2>Vault</h2>
      {vault.rekeying ? (
        <Notice tone="warn" title="It is getting a new key.">
          {isOpen
            ? 'Reveal, download and import wait until it has it, and go on by themselves.'
            : 'Open it, and it goes on.'}
        </Notice>
      ) : null}
      <Row
        name={
          <>
            {formatCount(vault.entries)} {vault.entries === 1 ? 'key' : 'keys'} kept{' '}
            <StatusTag tone={tone}>{text}</StatusTag>
          </>
        }
        text={
          vault.kept === 'none'
            ? 'It asks for a passphrase before it keeps the first key.'
            : `Each sealed by itself with AES-256-GCM, under a key that ${byPassphrase ? 'your passphrase opens (scrypt)' : `${keychain.name} holds`}.`
        }
      >
        <Button
          busy={turn.isPending}
          {...(isOpen ? { keys: ['Ctrl', 'Shift', 'L'] } : {})}
          onClick={() => turn.mutate()}
        >
          {isOpen ? 'Lock' : vault.state === 'unset' ? 'Choose a passphrase…' : 'Open'}
        </Button>
      </Row>
      {settings === undefined ? null : (
        <Row
          name="Lock it after"
          text={`Minutes without use; 0 for never. ${inBrowser ? 'It also locks when it finds that the machine has slept.' : 'It always locks when the machine sleeps or its screen locks.'} A running upload puts the time off.${vault.kept !== 'keychain' ? '' : ' Kept by the keychain, it opens again without a question.'}`}
        >
          <NumberSetting
            label="Minutes without use until the vault locks"
            value={settings.lockMinutes}
            least={0}
            most={240}
            unit="min"
            onChange={(lockMinutes) => change({ lockMinutes })}
          />
        </Row>
      )}
      {vault.kept === 'none' ? null : (
        <>
          <Row
            name="New key"
            text="Seals everything anew and forgets the old key: after somebody may have copied it."
          >
            <Button onClick={() => void begin('rekey')}>Make a new key…</Button>
          </Row>
          <Row
            name={byPassphrase ? 'Passphrase' : 'Passphrase instead of the keychain'}
            text={
              byPassphrase
                ? 'Asked for at each start.'
                : 'Then nobody opens the vault who only sits at your open session.'
            }
          >
            {byPassphrase && keychain.available ? (
              <Button onClick={() => void begin('to-keychain')}>Use {keychain.name}…</Button>
            ) : null}
            <Button onClick={() => void begin('to-passphrase')}>
              {byPassphrase ? 'Change…' : 'Use a passphrase…'}
            </Button>
          </Row>
          <Row
            name="Recovery copy"
            text="The only way back in when the keychain entry is lost or the passphrase forgotten."
          >
            <Button onClick={() => void begin('recover')}>Open with one…</Button>
            <Button onClick={() => void begin('recovery-copy')}>Make one…</Button>
          </Row>
        </>
      )}
      <Row name="Export" text="All kept keys as a file: encrypted, or readable for anyone.">
        <Button onClick={() => void begin('open-export')}>Read one…</Button>
        {vault.entries === 0 ? null : (
          <>
            <Button kind="danger" onClick={() => void begin('export-plain')}>
              In clear…
            </Button>
            <Button onClick={() => void begin('export')}>Encrypted…</Button>
          </>
        )}
      </Row>
      {action === null ? null : (
        <VaultDialog
          action={action}
          vault={vault}
          onOpened={setOpened}
          onClose={() => {
            setAction(null)
            void client.invalidateQueries({ queryKey: api.vault.key() })
          }}
        />
      )}
      {opened === null ? null : <OpenedExportDialog opened={opened} onClose={close} />}
    </section>
  )
}
