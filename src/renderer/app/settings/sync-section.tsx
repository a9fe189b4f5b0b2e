import { NativeSelect } from '@mantine/core'
import {
  paces,
  type PolledTopic,
  pollingPeriods,
  type Settings,
} from '../../../contract/app/app.ts'
import { formatCount } from '../../ui/format.ts'
import { NumberSetting } from './number-setting.tsx'
import type { SettingsShown } from './settings-of-role.ts'
import { SettingRow } from './setting-row.tsx'

const topicLabels: Record<PolledTopic, string> = {
  offers: 'Offers',
  sales: 'Sales',
  disputes: 'Disputes',
  orders: 'Orders, and a partner’s balance',
  balance: 'A seller’s balance',
}
const seconds = (ms: number): string => `${formatCount(ms / 1000)} s`

/** The period while the page is open: "Every 30 s". */
const paceLabel = (topic: PolledTopic, pace: number): string =>
  `Every ${seconds(pollingPeriods[topic].frontMs * pace)}`

function periodsOf(topic: PolledTopic, pace: number): string {
  const { awayMs, longestMs } = pollingPeriods[topic]
  return (
    `While its page is open. Otherwise every ${seconds(awayMs * pace)}. ` +
    `While nothing changes, up to every ${seconds(longestMs * pace)}, and less often for long lists.`
  )
}

/** How often Keydesk syncs each kind of record, and how long it keeps activity entries. */
export function SyncSection({
  settings,
  change,
  shown,
}: {
  settings: Settings
  shown: SettingsShown
  change: (part: Partial<Settings>) => void
}) {
  const choose = (topic: PolledTopic, chosen: string): void =>
    change({
      paces: { ...settings.paces, [topic]: paces.find((pace) => String(pace) === chosen) ?? 1 },
    })
  return (
    <section>
      <h2>Sync</h2>
      <SettingRow name="Catalogue sync interval" text="The service recommends 5 to 15 minutes.">
        <NumberSetting
          label="Minutes between catalogue syncs"
          value={settings.catalogueMinutes}
          least={5}
          most={15}
          unit="min"
          onChange={(catalogueMinutes) => change({ catalogueMinutes })}
        />
      </SettingRow>
      {(Object.keys(topicLabels) as PolledTopic[]).filter(shown.topic).map((topic) => {
        const pace = settings.paces[topic]
        return (
          <SettingRow key={topic} name={topicLabels[topic]} text={periodsOf(topic, pace)}>
            <NativeSelect
              aria-label={`Sync frequency: ${topicLabels[topic]}`}
              w={164}
              value={String(pace)}
              data={paces.map((each) => ({ value: String(each), label: paceLabel(topic, each) }))}
              onChange={(event) => choose(topic, event.currentTarget.value)}
            />
          </SettingRow>
        )
      })}
      <SettingRow
        name="Keep activity for"
        text="At most a million entries; Keydesk deletes the oldest first."
      >
        <NumberSetting
          label="Days to keep activity"
          value={settings.activityDays}
          least={7}
          most={365}
          unit="days"
          onChange={(activityDays) => change({ activityDays })}
        />
      </SettingRow>
      {shown.seller ? <PriceAndStock settings={settings} change={change} /> : null}
    </section>
  )
}

/** Options that concern a seller's offers. */
function PriceAndStock({
  settings,
  change,
}: {
  settings: Settings
  change: (part: Partial<Settings>) => void
}) {
  return (
    <>
      <SettingRow
        name="Low stock threshold"
        text="Marks offers with this many keys or fewer and lists them in the Low stock view."
      >
        <NumberSetting
          label="Low stock"
          value={settings.lowStock}
          least={0}
          most={100_000}
          unit="keys"
          onChange={(lowStock) => change({ lowStock })}
        />
      </SettingRow>
      <SettingRow
        name="Price guard"
        text="Asks before a price changes by more than this, and below the floor of a rule. 0 asks only for floors."
      >
        <NumberSetting
          label="Price guard"
          value={settings.priceGuard}
          least={0}
          most={100}
          unit="%"
          onChange={(priceGuard) => change({ priceGuard })}
        />
      </SettingRow>
    </>
  )
}
