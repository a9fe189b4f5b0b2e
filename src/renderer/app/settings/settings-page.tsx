import { SegmentedControl, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Settings } from '../../../contract/app/app.ts'
import { api } from '../../lib/core/rpc.ts'
import { Body, Page, PageHeader } from '../../ui/layout/page.tsx'
import { useChangeSettings, useAppState } from '../use-app-state.ts'
import { AccountsSection } from './accounts-section.tsx'
import { BackupSection } from './backup/backup-section.tsx'
import { NetworkSection } from './network/network-section.tsx'
import { NoticeSettings } from './notice-settings.tsx'
import { NumberSetting } from './number-setting.tsx'
import { SettingRow } from './setting-row.tsx'
import { SandboxSection } from './sandbox-section.tsx'
import { settingsOf } from './settings-of-role.ts'
import { SecretsSection } from './secrets/secrets-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SyncSection } from './sync-section.tsx'
import { UpdatesSection } from './updates/updates-section.tsx'
import { rowHeightOf, rowHeights } from '../../ui/table/columns/columns.ts'
import styles from './settings.module.css'

/**
 * Appearance, keyboard, sync, disputes, accounts, notifications, network, the sandbox, sessions,
 * secrets, backups and updates.
 */
export function SettingsPage() {
  const { settings, accounts = [] } = useAppState()
  const change = useChangeSettings()
  const info = useQuery(api.app.info.queryOptions()).data
  if (settings === undefined) return null
  const shown = settingsOf(accounts)
  return (
    <Page>
      <PageHeader
        title="Settings"
        beside={info === undefined ? undefined : `Keydesk ${info.version}`}
      />
      <Body>
        <div className={styles.page}>
          <AppearanceSection settings={settings} change={change} />
          <KeyboardSection settings={settings} change={change} />
          <SyncSection settings={settings} change={change} shown={shown} />
          {shown.seller ? <DisputesSection settings={settings} change={change} /> : null}
          <AccountsSection accounts={accounts} />
          <NoticeSettings settings={settings} change={change} shown={shown} />
          <NetworkSection inBrowser={info?.host === 'browser'} />
          <SandboxSection />
          <SessionsSection />
          {info === undefined ? null : (
            <SecretsSection keychain={info.keychain} dataFolder={info.dataFolder} />
          )}
          {info === undefined ? null : (
            <BackupSection dataFolder={info.dataFolder} inKeychain={info.keychain.available} />
          )}
          <UpdatesSection />
        </div>
      </Body>
    </Page>
  )
}

interface SectionProps {
  settings: Settings
  change: (part: Partial<Settings>) => void
}

function AppearanceSection({ settings, change }: SectionProps) {
  return (
    <section>
      <h2>Appearance</h2>
      <SettingRow name="Theme">
        <SegmentedControl
          aria-label="Theme"
          value={settings.theme}
          data={[
            { value: 'system', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onChange={(theme) =>
            change({
              theme: theme === 'light' ? 'light' : theme === 'dark' ? 'dark' : 'system',
            })
          }
        />
      </SettingRow>
      <SettingRow name="Row height" text="For every table without its own setting.">
        <SegmentedControl
          aria-label="Row height"
          value={String(settings.density)}
          data={[...rowHeights]}
          onChange={(height) => change({ density: rowHeightOf(height) })}
        />
      </SettingRow>
    </section>
  )
}

function KeyboardSection({ settings, change }: SectionProps) {
  return (
    <section>
      <h2>Keyboard</h2>
      <SettingRow
        name="Single-letter shortcuts"
        text="N, X, J, K and others work outside text fields. Ctrl combinations always work."
      >
        <Switch
          aria-label="Single-letter shortcuts"
          checked={settings.singleLetterShortcuts}
          onChange={(event) => change({ singleLetterShortcuts: event.currentTarget.checked })}
        />
      </SettingRow>
    </section>
  )
}

function DisputesSection({ settings, change }: SectionProps) {
  return (
    <section>
      <h2>Disputes</h2>
      <SettingRow
        name="Batch alarm: disputes"
        text="A batch raises an alarm when at least this many of its keys are disputed."
      >
        <NumberSetting
          label="Disputes that raise a batch alarm"
          value={settings.alarmClaims}
          least={1}
          most={1000}
          unit="disputes"
          onChange={(alarmClaims) => change({ alarmClaims })}
        />
      </SettingRow>
      <SettingRow
        name="Batch alarm: share"
        text="And at least this share of its keys, so that one bad key isn’t enough."
      >
        <NumberSetting
          label="Share of disputed keys that raises a batch alarm"
          value={settings.alarmPercent}
          least={0}
          most={100}
          unit="%"
          onChange={(alarmPercent) => change({ alarmPercent })}
        />
      </SettingRow>
    </section>
  )
}
