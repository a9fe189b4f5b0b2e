import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import type { OpenedExport, VaultState } from '../../../../contract/app/vault.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { useChangeSettings, useAppState } from '../../use-app-state.ts'
import { lockVault } from '../../vault/vault-watch.tsx'
import { NumberSetting } from '../number-setting.tsx'
import { OpenedExportDialog } from './opened-export.tsx'
import styles from '../settings.module.css'
import { VaultDialog } from './vault-dialogs.tsx'
import type { VaultAction } from './vault-dialogs.tsx'

const stateLabels: Record<VaultState['state'], { text: string; tone: 'ok' | 'neutral' | 'warn' }> =
  {
    open: { text: 'Unlocked', tone: 'ok' },
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

/** The vault: its lock, its key and the ways to export its keys. */
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
  /** Most actions need an unlocked vault, so they unlock it first. */
  const start = async (wanted: VaultAction): Promise<void> => {
    try {
      if (wanted === 'recover' || wanted === 'open-export' || (await openVault())) setAction(wanted)
    } catch (error) {
      toastProblem(problemOf(error), null)
    }
  }
  const close = useCallback(() => setOpened(null), [])
  const isOpen = vault.state === 'open'
  const byPassphrase = vault.kept === 'passphrase'
  return (
    <section>
      <h2>Vault</h2>
      {vault.rekeying ? (
        <Notice tone="warn" title="Keydesk is replacing the vault’s key.">
          {isOpen
            ? 'Revealing, downloading and importing keys wait until it finishes and then resume automatically.'
            : 'Unlock the vault to continue.'}
        </Notice>
      ) : null}
      <StateRow vault={vault} keychainName={keychain.name} />
      <AutoLock fromKeychain={vault.kept === 'keychain'} />
      {vault.kept === 'none' ? null : (
        <KeyRows byPassphrase={byPassphrase} keychain={keychain} onAction={start} />
      )}
      <Row name="Export" text="All saved keys as a file, encrypted or unencrypted.">
        <Button onClick={() => void start('open-export')}>Open an export…</Button>
        {vault.entries === 0 ? null : (
          <>
            <Button kind="danger" onClick={() => void start('export-plain')}>
              Unencrypted…
            </Button>
            <Button onClick={() => void start('export')}>Encrypted…</Button>
          </>
        )}
      </Row>
      {action === null ? null : (
        <VaultDialog
          action={action}
          vault={vault}
          keychainAvailable={keychain.available}
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

/** Whether the vault is unlocked, and the button that unlocks or locks it. */
function StateRow({ vault, keychainName }: { vault: VaultState; keychainName: string }) {
  const client = useQueryClient()
  const turn = useMutation({
    mutationFn: async () => {
      if (vault.state === 'open') await lockVault()
      else await openVault()
    },
    onError: (error) => {
      toastProblem(problemOf(error), null)
    },
    onSettled: () => client.invalidateQueries({ queryKey: api.vault.key() }),
  })
  const isOpen = vault.state === 'open'
  const { text, tone } = stateLabels[vault.state]
  return (
    <Row
      name={
        <>
          {t('counts.keys', { count: vault.entries })} saved{' '}
          <StatusTag tone={tone}>{text}</StatusTag>
        </>
      }
      text={
        vault.kept === 'none'
          ? 'It asks for a passphrase before it saves the first key.'
          : 'Each is encrypted with AES-256-GCM, under a key that ' +
            `${vault.kept === 'passphrase' ? 'your passphrase unlocks (scrypt)' : `${keychainName} stores`}.`
      }
    >
      <Button
        busy={turn.isPending}
        {...(isOpen ? { keys: ['Ctrl', 'Shift', 'L'] } : {})}
        onClick={() => turn.mutate()}
      >
        {isOpen ? 'Lock' : vault.state === 'unset' ? 'Choose a passphrase…' : 'Unlock'}
      </Button>
    </Row>
  )
}

function AutoLock({ fromKeychain }: { fromKeychain: boolean }) {
  const { settings } = useAppState()
  const inBrowser = useQuery(api.app.info.queryOptions()).data?.host === 'browser'
  const change = useChangeSettings()
  if (settings === undefined) return null
  const text = [
    'After this many minutes without use; 0 for never.',
    inBrowser
      ? 'The vault also locks when Keydesk notices that this computer was asleep.'
      : 'The vault always locks when this computer sleeps or its screen locks.',
    'A running upload delays the lock.',
    ...(fromKeychain ? ['With the keychain, it unlocks without a passphrase.'] : []),
  ].join(' ')
  return (
    <Row name="Auto-lock" text={text}>
      <NumberSetting
        label="Minutes without use until the vault locks"
        value={settings.lockMinutes}
        least={0}
        most={240}
        unit="min"
        onChange={(lockMinutes) => change({ lockMinutes })}
      />
    </Row>
  )
}

function KeyRows({
  byPassphrase,
  keychain,
  onAction,
}: {
  byPassphrase: boolean
  keychain: { available: boolean; name: string }
  onAction: (action: VaultAction) => Promise<void>
}) {
  return (
    <>
      <Row
        name="Vault key"
        text={
          'Encrypts everything with a new key and deletes the old one. Use it if someone ' +
          'may have copied the old key.'
        }
      >
        <Button onClick={() => void onAction('rekey')}>Replace key…</Button>
      </Row>
      <Row
        name={byPassphrase ? 'Passphrase' : 'Passphrase instead of the keychain'}
        text={
          byPassphrase
            ? 'Required at each start.'
            : 'Someone who uses your open session then can’t unlock the vault.'
        }
      >
        {byPassphrase && keychain.available ? (
          <Button onClick={() => void onAction('to-keychain')}>Use {keychain.name}…</Button>
        ) : null}
        <Button onClick={() => void onAction('to-passphrase')}>
          {byPassphrase ? 'Change…' : 'Use a passphrase…'}
        </Button>
      </Row>
      <Row
        name="Recovery copy"
        text="The only way back in if you lose the keychain entry or the passphrase."
      >
        <Button onClick={() => void onAction('recover')}>Use a copy…</Button>
        <Button onClick={() => void onAction('recovery-copy')}>Make a copy…</Button>
      </Row>
    </>
  )
}
