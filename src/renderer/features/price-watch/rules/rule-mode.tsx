import { t } from '../../../../contract/localization/localized.ts'
import { Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconBolt } from '@tabler/icons-react'
import { useState } from 'react'
import type { RuleMode } from '../../../../contract/price-watch/price-rules.ts'
import type { RuleEffect, RuleView } from '../../../../contract/price-watch/price-watch-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import type { Effect } from '../../../ui/feedback/confirm-dialog.tsx'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from './rules.module.css'
import { undoMode } from './rule-changes.ts'

/** Changes a rule's mode. `confirmed`: what the person saw and typed before auto-apply. */
export type SetMode = (
  ruleId: string,
  mode: RuleMode,
  confirmed?: { seen: RuleEffect; typed: string },
) => Promise<void>

const proposesText: Readonly<Record<RuleMode, string>> = {
  off: 'Off: covers no offer',
  propose: 'You decide each price',
  auto: 'Turn on to decide each price yourself',
}

/** The effects of turning on auto-apply. */
const autoApplyEffects = (effect: RuleEffect | null): Effect[] => [
  {
    icon: <IconBolt size={15} stroke={1.6} aria-hidden />,
    what: `The prices of ${t('counts.offers', { count: effect?.offers ?? 0 })} change automatically,`,
    more: 'day and night, and those of offers that the rule covers later',
    amount: t('screens.price-watch-change-now', { count: effect?.change ?? 0 }),
    tone: 'warn',
  },
  {
    icon: <Mark kind="ok" size={13} />,
    what: 'Every price is checked again',
    more: 'before it’s sent: floor, ceiling, size of the change, fresh data',
  },
  {
    icon: <Mark kind="warn" size={13} />,
    what: 'Ctrl+. stops it',
    more: 'immediately, and it stays stopped after a restart',
  },
]

/** Switches for proposing and auto-apply. They take effect without saving the rule. */
export function RuleModeSwitches({
  stored,
  changed,
  onMode,
}: {
  stored: RuleView
  changed: boolean
  onMode: SetMode
}) {
  const account = useAccount()
  const client = useQueryClient()
  const refresh = (): void => void client.invalidateQueries({ queryKey: api.priceWatch.key() })
  /** The effect of auto-apply that the person confirms; null while the dialog is closed. */
  const [asking, setAsking] = useState<RuleEffect | null>(null)
  const ask = async (): Promise<void> => {
    const { sums } = await rpc.priceWatch.preview({
      accountId: account.id,
      ruleId: stored.ruleId,
      rule: stored.rule,
      window: { limit: 1 },
    })
    setAsking(sums)
  }
  const change = (mode: RuleMode): void =>
    void onMode(stored.ruleId, mode)
      .then(() =>
        toast({
          title: `${stored.rule.name}: ${mode === 'off' ? 'off' : 'proposes'}`,
          text: 'Nothing is sent without your approval.',
          ...undoMode(account.id, stored, mode, refresh),
        }),
      )
      .catch((error: unknown) => {
        toastProblem(problemOf(error), stored.rule.name)
      })
  return (
    <section className={styles.mode}>
      <div className={styles.switch}>
        <span>
          <b>Proposes</b>
          <small>{proposesText[stored.mode]}</small>
        </span>
        <Switch
          aria-label="The rule proposes"
          checked={stored.mode === 'propose'}
          onChange={(event) => change(event.currentTarget.checked ? 'propose' : 'off')}
        />
      </div>
      <div className={styles.switch}>
        <span>
          <b>Auto-apply</b>
          <small>
            {changed
              ? 'Save the rule first'
              : account.mode === 'live'
                ? 'LIVE: asks for the rule’s name'
                : 'Sends without asking'}
          </small>
        </span>
        <Switch
          aria-label="Auto-apply"
          checked={stored.mode === 'auto'}
          disabled={changed}
          onChange={(event) => {
            if (event.currentTarget.checked)
              void ask().catch((error: unknown) => toastProblem(problemOf(error), stored.rule.name))
            else change('propose')
          }}
        />
      </div>
      <ConfirmDialog
        opened={asking !== null}
        onClose={() => setAsking(null)}
        account={account}
        title={`Turn on auto-apply for “${stored.rule.name}”?`}
        confirmLabel="Turn on auto-apply"
        typed={{ text: stored.rule.name, verb: 'turn on auto-apply' }}
        effects={autoApplyEffects(asking)}
        onConfirm={async () => {
          if (asking === null) return
          try {
            await onMode(stored.ruleId, 'auto', { seen: asking, typed: stored.rule.name })
            toast({
              title: `Auto-apply is on for ${stored.rule.name}`,
              text: 'Every price change is listed under Decisions.',
              ...undoMode(account.id, stored, 'auto', refresh),
            })
          } catch (error) {
            const problem = problemOf(error)
            if (problem.code === 'CHANGED_MEANWHILE') await ask()
            else toastProblem(problem, stored.rule.name)
            throw error
          }
        }}
      />
    </section>
  )
}
