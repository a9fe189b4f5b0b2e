import { Switch, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { SandboxPartner } from '../../../../contract/sandbox/sandbox-accounts.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { MoneyField } from '../../../ui/controls/fields/price-field.tsx'
import styles from '../sandbox.module.css'

type Limits = Pick<SandboxPartner, 'perOrderLimit' | 'dailyLimit' | 'ipAllowlist'>

/** A partner's spending limits, and the IP addresses that can use its keys. */
export function LimitsSection({
  partner,
  busy,
  onChange,
}: {
  partner: SandboxPartner
  busy: boolean
  onChange: (limits: Limits) => void
}) {
  const [order, setOrder] = useState(partner.perOrderLimit)
  const [day, setDay] = useState(partner.dailyLimit)
  const [orderNone, setOrderNone] = useState(partner.perOrderLimit === null)
  const [dayNone, setDayNone] = useState(partner.dailyLimit === null)
  const [addresses, setAddresses] = useState(partner.ipAllowlist.join('\n'))
  const wanted: Limits = {
    perOrderLimit: orderNone ? null : order,
    dailyLimit: dayNone ? null : day,
    ipAllowlist: addresses.split(/[\s,]+/).filter((each) => each !== ''),
  }
  const complete = (orderNone || order !== null) && (dayNone || day !== null)
  const changed =
    wanted.perOrderLimit !== partner.perOrderLimit ||
    wanted.dailyLimit !== partner.dailyLimit ||
    wanted.ipAllowlist.join(' ') !== partner.ipAllowlist.join(' ')
  return (
    <PanelSection title="Limits">
      <div className={styles.stack}>
        <div className={styles.pair}>
          <MoneyField label="Per order" cents={order} disabled={orderNone} onChange={setOrder} />
          <MoneyField label="Per 24 hours" cents={day} disabled={dayNone} onChange={setDay} />
        </div>
        <div className={styles.pair}>
          <Switch
            label="No limit"
            aria-label="No limit per order"
            checked={orderNone}
            onChange={(event) => setOrderNone(event.currentTarget.checked)}
          />
          <Switch
            label="No limit"
            aria-label="No limit per 24 hours"
            checked={dayNone}
            onChange={(event) => setDayNone(event.currentTarget.checked)}
          />
        </div>
        <Textarea
          label="Allowed IP addresses, one per line (empty: any)"
          autosize
          minRows={1}
          maxRows={5}
          spellCheck={false}
          classNames={{ input: 'kd-mono' }}
          placeholder="203.0.113.0/24"
          value={addresses}
          onChange={(event) => setAddresses(event.currentTarget.value)}
        />
      </div>
      <Button busy={busy} disabled={!changed || !complete} onClick={() => onChange(wanted)}>
        Save limits
      </Button>
    </PanelSection>
  )
}
