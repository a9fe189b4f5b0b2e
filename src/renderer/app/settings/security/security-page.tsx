import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconChevronLeft, IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ActivityEntry, KeychainState } from '../../../../contract/app/app.ts'
import type { VaultState } from '../../../../contract/app/vault.ts'
import { formatMessage, t } from '../../../../contract/localization/localized.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button, IconButton, LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { formatMoment } from '../../../ui/format.ts'
import { Body, Page, PageHeader, PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import { useAppState, useChangeSettings } from '../../use-app-state.ts'
import { lockVault } from '../../vault/vault-watch.tsx'
import { NumberSetting } from '../number-setting.tsx'
import { SettingRow } from '../setting-row.tsx'
import { VaultDialog } from '../secrets/vault-dialogs.tsx'
import settings from '../settings.module.css'
import { SecondProofSection } from './second-proof-section.tsx'
import styles from './security.module.css'

/** Entries that the page shows; the activity has all of them. */
const SHOWN = 6

/** What protects keys from someone who uses the session: the second proof, the lock, the keychain. */
export function SecurityPage() {
  const vault = useQuery(api.vault.state.queryOptions()).data
  const proof = useQuery(api.secondProof.state.queryOptions()).data
  const keychain = useQuery(api.app.info.queryOptions()).data?.keychain
  const [, go] = useLocation()
  if (vault === undefined || proof === undefined || keychain === undefined) return null
  return (
    <Page panel={<Protection vault={vault} keychain={keychain} />}>
      <PageHeader
        title="Security"
        before={
          <IconButton label="Back to Settings" onClick={() => go('/settings')}>
            <IconChevronLeft size={16} stroke={1.6} />
          </IconButton>
        }
        actions={
          vault.state === 'open' ? (
            <Button
              icon={<IconLock size={16} stroke={1.6} />}
              keys={['Ctrl', 'Shift', 'L']}
              onClick={() => void lockVault()}
            >
              Lock now
            </Button>
          ) : undefined
        }
      />
      <Body>
        <div className={settings.page}>
          <SecondProofSection proof={proof} />
          <PassphraseSection vault={vault} keychain={keychain} />
          <section>
            <h2>Vault</h2>
            <SettingRow
              name={`${t('counts.keys', { count: vault.entries })} saved`}
              text="Its recovery copy, key and exports, and every file with secrets."
            >
              <Button onClick={() => go('/settings/secrets')}>Where your secrets are…</Button>
            </SettingRow>
          </section>
        </div>
      </Body>
    </Page>
  )
}

/** The passphrase that unlocks the vault, or that could. */
function PassphraseSection({ vault, keychain }: { vault: VaultState; keychain: KeychainState }) {
  const [changing, setChanging] = useState(false)
  const client = useQueryClient()
  if (vault.kept === 'none') return null
  const hasPassphrase = vault.kept === 'passphrase'
  const start = async (): Promise<void> => {
    try {
      if (await openVault()) setChanging(true)
    } catch (error) {
      toastProblem(problemOf(error), null)
    }
  }
  return (
    <section>
      <h2>Passphrase</h2>
      <SettingRow
        name={hasPassphrase ? 'Passphrase of the vault' : 'Passphrase instead of the keychain'}
        text={
          hasPassphrase
            ? 'Unlocks the vault. Existing copies, exports and backups keep theirs.'
            : `${keychain.name} unlocks the vault with your session. A passphrase is asked for at each start.`
        }
      >
        <Button onClick={() => void start()}>
          {hasPassphrase ? 'Change…' : 'Use a passphrase…'}
        </Button>
      </SettingRow>
      {changing ? (
        <VaultDialog
          action="to-passphrase"
          vault={vault}
          keychainAvailable={keychain.available}
          onOpened={() => {}}
          onClose={() => {
            setChanging(false)
            void client.invalidateQueries()
          }}
        />
      ) : null}
    </section>
  )
}

function Protection({ vault, keychain }: { vault: VaultState; keychain: KeychainState }) {
  const { settings: chosen } = useAppState()
  const change = useChangeSettings()
  return (
    <SidePanel title="Protection">
      <PanelSection
        title="System keychain"
        aside={
          <StatusTag tone={keychain.available ? 'ok' : 'warn'}>
            {keychain.available ? 'Available' : 'Missing'}
          </StatusTag>
        }
      >
        <Facts>
          <Fact label="API keys">
            {keychain.available ? keychain.name : 'In memory, until Keydesk quits'}
          </Fact>
          <Fact label="Vault’s key">
            {vault.kept === 'keychain'
              ? keychain.name
              : vault.kept === 'passphrase'
                ? 'Wrapped with a passphrase'
                : 'Not set up yet'}
          </Fact>
        </Facts>
      </PanelSection>
      <PanelSection title="Lock">
        {chosen === undefined ? null : (
          <div className={styles.lock}>
            <span>When idle for</span>
            <NumberSetting
              label="Minutes without use until the vault locks"
              value={chosen.lockMinutes}
              least={0}
              most={240}
              unit="min"
              onChange={(lockMinutes) => change({ lockMinutes })}
            />
          </div>
        )}
      </PanelSection>
      <Recent />
    </SidePanel>
  )
}

/** The latest entries about passphrases: confirmed, wrong, changed. */
function Recent() {
  const [, go] = useLocation()
  const { data } = useQuery(
    api.activity.list.queryOptions({ input: { query: 'passphrase', window: { limit: SHOWN } } }),
  )
  return (
    <PanelSection
      title="Recent"
      aside={<LinkButton onClick={() => go('/activity')}>Activity</LinkButton>}
    >
      {data === undefined ? null : data.rows.length === 0 ? (
        <p className={settings.text}>No passphrase was entered or changed yet.</p>
      ) : (
        <ul className={styles.recent}>
          {data.rows.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </PanelSection>
  )
}

function Entry({ entry: { what, detail, at, outcome } }: { entry: ActivityEntry }) {
  return (
    <li data-failed={outcome === 'failed' || undefined}>
      <div>
        <b>{formatMessage(what)}</b>
        {detail === null ? null : <span>{formatMessage(detail)}</span>}
      </div>
      <time>{formatMoment(at, Date.now())}</time>
    </li>
  )
}
