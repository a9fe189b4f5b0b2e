import { SegmentedControl, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../lib/rpc.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Body, Page, PageHeader } from '../../ui/page.tsx'
import { useChangeSettings, useDesk } from '../use-desk.ts'
import { AccountsSection } from './accounts-section.tsx'
import { BackupSection } from './backup-section.tsx'
import { NoticeSettings } from './notice-settings.tsx'
import { NumberSetting } from './number-setting.tsx'
import { SandboxSection } from './sandbox-section.tsx'
import { SecretsSection } from './secrets-section.tsx'
import styles from './settings.module.css'

/** One setting: its name and what it does at the left, the control at the right. */
function Row({ name, text, children }: { name: string; text?: string; children: ReactNode }) {
  return <div className={styles.row}><div><b>{name}</b>{text === undefined ? null : <p>{text}</p>}</div>{children}</div>
}

/** How services are reached: as the machine says, for there is nothing to enter here that it doesn't know. */
function NetworkSection({ inBrowser }: { inBrowser: boolean }) {
  return (
    <section>
      <h2>Network</h2>
      <div className={styles.facts}>
        <Facts>
          <Fact label="Proxy">{inBrowser ? 'That of HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, but for NO_PROXY' : 'That of the system, for each address'}</Fact>
          <Fact label="Certificate authorities">{inBrowser ? 'Those of this machine and of NODE_EXTRA_CA_CERTS' : 'Those of this machine'}</Fact>
        </Facts>
      </div>
    </section>
  )
}

/** The look, the keyboard, sync, accounts, the sandbox, and where secrets are. */
export function SettingsPage() {
  const { settings, accounts = [] } = useDesk()
  const change = useChangeSettings()
  const info = useQuery(api.app.info.queryOptions()).data
  if (settings === undefined) return null
  return (
    <Page>
      <PageHeader title="Settings" beside={info === undefined ? undefined : `Keydesk ${info.version}`} />
      <Body>
        <div className={styles.page}>
          <section>
            <h2>Look</h2>
            <Row name="Light or dark"><SegmentedControl aria-label="Light or dark" value={settings.theme} data={[{ value: 'system', label: 'As the system' }, { value: 'light', label: 'Light' }, { value: 'dark', label: 'Dark' }]} onChange={(theme) => change({ theme: theme === 'light' ? 'light' : theme === 'dark' ? 'dark' : 'system' })} /></Row>
            <Row name="Row height" text="Of every table without a choice of its own."><SegmentedControl aria-label="Row height" value={String(settings.density)} data={[{ value: '32', label: 'Compact' }, { value: '36', label: 'Standard' }, { value: '44', label: 'Roomy' }]} onChange={(height) => change({ density: height === '32' ? 32 : height === '44' ? 44 : 36 })} /></Row>
          </section>
          <section>
            <h2>Keyboard</h2>
            <Row name="Single letters are shortcuts" text="N, X, J, K and the others act outside fields. Combinations with Ctrl always do."><Switch aria-label="Single letters are shortcuts" checked={settings.singleLetterShortcuts} onChange={(event) => change({ singleLetterShortcuts: event.currentTarget.checked })} /></Row>
          </section>
          <section>
            <h2>Sync</h2>
            <Row name="Look at the catalogue every" text="The service recommends 5 to 15 minutes."><NumberSetting label="Minutes between two looks at the catalogue" value={settings.catalogueMinutes} least={5} most={15} unit="min" onChange={(catalogueMinutes) => change({ catalogueMinutes })} /></Row>
            <Row name="Read from the service" text="Offers, sales, disputes, orders and the balance: seldom asks for less and is told of changes later."><SegmentedControl aria-label="Read from the service" value={String(settings.pace)} data={[{ value: '1', label: 'As usual' }, { value: '2', label: 'Half as often' }, { value: '4', label: 'Seldom' }]} onChange={(pace) => change({ pace: pace === '2' ? 2 : pace === '4' ? 4 : 1 })} /></Row>
            <Row name="Keep the activity for" text="At most a million entries; the oldest leave first."><NumberSetting label="Days that the activity is kept" value={settings.activityDays} least={7} most={365} unit="days" onChange={(activityDays) => change({ activityDays })} /></Row>
            <Row name="Stock counts as low at" text="And below. It marks offers and the view Low stock."><NumberSetting label="Low stock" value={settings.lowStock} least={0} most={100_000} unit="keys" onChange={(lowStock) => change({ lowStock })} /></Row>
          </section>
          <section>
            <h2>Disputes</h2>
            <Row name="A batch is alarming from" text="So many claims on its keys."><NumberSetting label="Claims that make a batch alarming" value={settings.alarmClaims} least={1} most={1000} unit="claims" onChange={(alarmClaims) => change({ alarmClaims })} /></Row>
            <Row name="And from" text="So large a share of its keys: one bad key is no bad batch."><NumberSetting label="Share of claimed keys that makes a batch alarming" value={settings.alarmPercent} least={0} most={100} unit="%" onChange={(alarmPercent) => change({ alarmPercent })} /></Row>
          </section>
          <AccountsSection accounts={accounts} />
          <NoticeSettings settings={settings} change={change} />
          <NetworkSection inBrowser={info?.host === 'browser'} />
          <SandboxSection />
          {info === undefined ? null : <SecretsSection keychain={info.keychain} dataFolder={info.dataFolder} />}
          {info === undefined ? null : <BackupSection dataFolder={info.dataFolder} inKeychain={info.keychain.available} />}
        </div>
      </Body>
    </Page>
  )
}
