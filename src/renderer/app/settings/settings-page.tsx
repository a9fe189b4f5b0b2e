import { SegmentedControl, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/rpc.ts'
import { Body, Page, PageHeader } from '../../ui/page.tsx'
import { useChangeSettings, useDesk } from '../use-desk.ts'
import { AccountsSection } from './accounts-section.tsx'
import { BackupSection } from './backup-section.tsx'
import { NetworkSection } from './network-section.tsx'
import { NoticeSettings } from './notice-settings.tsx'
import { NumberSetting } from './number-setting.tsx'
import { Row } from './row.tsx'
import { SandboxSection } from './sandbox-section.tsx'
import { SecretsSection } from './secrets-section.tsx'
import { SyncSection } from './sync-section.tsx'
import styles from './settings.module.css'

/** The look, the keyboard, sync, accounts, the sandbox, and where secrets are. */
export function SettingsPage() {
  const { settings, accounts = [] } = useDesk()
  const change = useChangeSettings()
  const info = useQuery(api.app.info.queryOptions()).data
  if (settings === undefined) return null
  return (
    <Page>
      <PageHeader
        title="Settings"
        beside={info === undefined ? undefined : `Keydesk ${info.version}`}
      />
      <Body>
        <div className={styles.page}>
          <section>
            <h2>Look</h2>
            <Row name="Light or dark">
              <SegmentedControl
                aria-label="Light or dark"
                value={settings.theme}
                data={[
                  { value: 'system', label: 'As the system' },
                  { value: 'light', label: 'Light' },
                  { value: 'dark', label: 'Dark' },
                ]}
                onChange={(theme) =>
                  change({
                    theme: theme === 'light' ? 'light' : theme === 'dark' ? 'dark' : 'system',
                  })
                }
              />
            </Row>
            <Row name="Row height" text="Of every table without a choice of its own.">
              <SegmentedControl
                aria-label="Row height"
                value={String(settings.density)}
                data={[
                  { value: '32', label: 'Compact' },
                  { value: '36', label: 'Standard' },
                  { value: '44', label: 'Roomy' },
                ]}
                onChange={(height) =>
                  change({ density: height === '32' ? 32 : height === '44' ? 44 : 36 })
                }
              />
            </Row>
          </section>
          <section>
            <h2>Keyboard</h2>
            <Row
              name="Single letters are shortcuts"
              text="N, X, J, K and the others act outside fields. Combinations with Ctrl always do."
            >
              <Switch
                aria-label="Single letters are shortcuts"
                checked={settings.singleLetterShortcuts}
                onChange={(event) => change({ singleLetterShortcuts: event.currentTarget.checked })}
              />
            </Row>
          </section>
          <SyncSection settings={settings} change={change} />
          <section>
            <h2>Disputes</h2>
            <Row name="A batch is alarming from" text="So many claims on its keys.">
              <NumberSetting
                label="Claims that make a batch alarming"
                value={settings.alarmClaims}
                least={1}
                most={1000}
                unit="claims"
                onChange={(alarmClaims) => change({ alarmClaims })}
              />
            </Row>
            <Row name="And from" text="So large a share of its keys: one bad key is no bad batch.">
              <NumberSetting
                label="Share of claimed keys that makes a batch alarming"
                value={settings.alarmPercent}
                least={0}
                most={100}
                unit="%"
                onChange={(alarmPercent) => change({ alarmPercent })}
              />
            </Row>
          </section>
          <AccountsSection accounts={accounts} />
          <NoticeSettings settings={settings} change={change} />
          <NetworkSection inBrowser={info?.host === 'browser'} />
          <SandboxSection />
          {info === undefined ? null : (
            <SecretsSection keychain={info.keychain} dataFolder={info.dataFolder} />
          )}
          {info === undefined ? null : (
            <BackupSection dataFolder={info.dataFolder} inKeychain={info.keychain.available} />
          )}
        </div>
      </Body>
    </Page>
  )
}
