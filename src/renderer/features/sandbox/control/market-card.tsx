import { t } from '../../../../contract/localization/localized.ts'
import { NumberInput, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import type { SandboxMarket } from '../../../../contract/sandbox/sandbox-control.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { ControlCard } from './control-card.tsx'
import styles from '../sandbox.module.css'
import { useSandboxAction } from '../use-sandbox-action.ts'

const defaults = { seed: '4711', intensity: 1, sellers: 8, customers: 400 }
const countsEveryMs = 15_000

/** Competitors that change prices and customers that buy and complain: on or off, seed and size. */
export function MarketCard() {
  const market = useQuery({
    ...api.sandbox.control.market.queryOptions(),
    refetchInterval: countsEveryMs,
  }).data
  return market === undefined ? (
    <ControlCard icon={IconAdjustmentsHorizontal} title="Market" />
  ) : (
    <LoadedMarket market={market} />
  )
}

function LoadedMarket({ market }: { market: SandboxMarket }) {
  const ran = market.seed != null
  const [seed, setSeed] = useState(String(market.seed ?? defaults.seed))
  const [intensity, setIntensity] = useState(
    ran ? (market.intensity ?? defaults.intensity) : defaults.intensity,
  )
  const [sellers, setSellers] = useState(
    ran ? (market.sellers ?? defaults.sellers) : defaults.sellers,
  )
  const [customers, setCustomers] = useState(
    ran ? (market.customers ?? defaults.customers) : defaults.customers,
  )
  const start = useSandboxAction(
    () => rpc.sandbox.control.startMarket({ seed, intensity, sellers, customers }),
    () => ({ title: 'Market started', text: 'It follows the sandbox’s clock.' }),
  )
  const stop = useSandboxAction(
    () => rpc.sandbox.control.stopMarket(),
    () => ({
      title: 'Market stopped',
      text: 'Offers, sales and disputes don’t change.',
    }),
  )
  const busy = start.isPending || stop.isPending
  const fits = seed !== '' && seed.length <= 100
  const { counts } = market
  const number =
    (set: (value: number) => void) =>
    (value: number | string): void => {
      if (typeof value === 'number') set(value)
    }
  return (
    <ControlCard
      icon={IconAdjustmentsHorizontal}
      title="Market"
      beside={
        <StatusTag tone={market.running ? 'ok' : 'neutral'}>
          {market.running ? 'Running' : 'Stopped'}
        </StatusTag>
      }
      actions={
        <Switch
          aria-label="Run the market"
          checked={market.running}
          disabled={busy || !fits}
          onChange={() => (market.running ? stop.mutate(undefined) : start.mutate(undefined))}
        />
      }
    >
      <div className={styles.fields}>
        <TextInput
          label="Seed"
          value={seed}
          error={!fits}
          onChange={(event) => setSeed(event.currentTarget.value)}
        />
        <NumberInput
          label="Intensity"
          hideControls
          min={0}
          max={10}
          value={intensity}
          onChange={number(setIntensity)}
        />
        <NumberInput
          label="Competitors"
          hideControls
          min={0}
          max={40}
          allowDecimal={false}
          value={sellers}
          onChange={number(setSellers)}
        />
        <NumberInput
          label="Customers"
          hideControls
          min={0}
          max={10_000}
          allowDecimal={false}
          value={customers}
          onChange={number(setCustomers)}
        />
        <Button
          busy={start.isPending}
          disabled={!fits || stop.isPending}
          onClick={() => start.mutate(undefined)}
        >
          {market.running ? 'Restart' : 'Start'}
        </Button>
      </div>
      {counts === undefined || !ran ? null : (
        <p className={styles.note}>
          {t('screens.sandbox-market-counts', {
            prices: counts.priceChanges,
            orders: counts.orders,
            claims: counts.claims,
          })}
        </p>
      )}
      <p className={styles.note}>The same seed and snapshot always give the same market.</p>
    </ControlCard>
  )
}
