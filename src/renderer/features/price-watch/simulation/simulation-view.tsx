import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconFlask, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { z } from 'zod'
import { type PriceRule, priceRuleSchema } from '../../../../contract/price-watch/price-rules.ts'
import type { RuleView } from '../../../../contract/price-watch/price-watch-records.ts'
import type { Simulation } from '../../../../contract/price-watch/price-simulation.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { formatDuration, formatMoment } from '../../../ui/format.ts'
import { ModeBadge } from '../../../ui/data-display/identity/mode-badge.tsx'
import { NumberStepper } from '../../../ui/controls/fields/number-stepper.tsx'
import { Bar } from '../../../ui/layout/page.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import shared from '../price-watch.module.css'
import styles from './simulation.module.css'
import { SimulationReport } from './simulation-report.tsx'
import { Word } from '../rules/sentence-parts.tsx'
import { DAY_MS } from '../../../../../server/api/time.ts'

const draftSchema = z.object({ ruleId: z.string(), rule: priceRuleSchema })
type Draft = z.infer<typeof draftSchema>
type RuleSet = { title: string; rules: PriceRule[] }

/** The rule that the editor passed on for simulation, saved or not. */
function draftFromEditor(): Draft | null {
  try {
    const parsed = draftSchema.safeParse(
      JSON.parse(sessionStorage.getItem('kd-simulate') ?? 'null'),
    )
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

const starts = [
  { value: 'now', label: 'with current prices' },
  { value: '7', label: 'with prices from 7 days ago' },
  { value: '30', label: 'with prices from 30 days ago' },
  { value: '90', label: 'with prices from 90 days ago' },
] as const
type Start = (typeof starts)[number]['value']

/**
 * The saved rules, and the rule from the editor if it differs. A saved rule without changes isn't a
 * draft: then the saved rules are compared with no rules.
 */
function useRulesToCompare() {
  const { id: accountId } = useAccount()
  const handed = useMemo(() => draftFromEditor(), [])
  const rules = useQuery(api.priceWatch.rules.queryOptions({ input: { accountId } })).data
  const saved = rules?.find((rule) => rule.ruleId === handed?.ruleId)
  const isDraft = saved !== undefined && JSON.stringify(saved.rule) !== JSON.stringify(handed?.rule)
  return { rules, draft: isDraft ? handed : null }
}

/** The two sets of rules to simulate: without and with the draft, or without and with any rules. */
function rulesToCompare(rules: readonly RuleView[], draft: Draft | null): [RuleSet, RuleSet] {
  const asSaved = rules.filter(({ mode }) => mode !== 'off').map(({ rule }) => rule)
  if (draft === null)
    return [
      { title: 'No rules', rules: [] },
      { title: 'Saved rules', rules: asSaved },
    ]
  const withDraft = rules
    .filter(({ mode, ruleId }) => mode !== 'off' || ruleId === draft.ruleId)
    .map(({ ruleId, rule }) => (ruleId === draft.ruleId ? draft.rule : rule))
  return [
    { title: 'Saved rules', rules: asSaved },
    { title: `With draft of ${draft.rule.name}`.slice(0, 80), rules: withDraft },
  ]
}

/** The simulation that is shown, by default the last one, and the earlier ones. */
function useSimulation(simulationId: string | null) {
  const { id: accountId } = useAccount()
  const list = useQuery(api.priceWatch.simulation.list.queryOptions({ input: { accountId } }))
  const earlier = list.data ?? []
  const id = simulationId ?? earlier[0]?.simulationId ?? null
  const query = useQuery({
    ...api.priceWatch.simulation.get.queryOptions({
      input: { accountId, simulationId: id ?? '' },
    }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 1000 : false),
  })
  return { id, list, earlier, query }
}

/** Simulates two sets of rules on the bundled market, side by side. */
export function SimulationView({ simulationId }: { simulationId: string | null }) {
  const [, go] = useLocation()
  const { rules, draft } = useRulesToCompare()
  const { id, list, earlier, query } = useSimulation(simulationId)
  const simulation = query.data
  const nothing = rules !== undefined && rules.every(({ mode }) => mode === 'off') && draft === null
  return (
    <>
      <SimulationBar
        simulation={simulation}
        rules={rules ?? []}
        draft={draft}
        canStart={!nothing}
        earlier={earlier.length > 1 ? <EarlierRuns earlier={earlier} shownId={id ?? ''} /> : null}
      />
      {query.isError ? (
        <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      ) : null}
      {simulation === undefined ? (
        list.data === undefined && id === null ? (
          <NotRead query={list} padded />
        ) : id === null ? (
          <NoSimulations nothing={nothing} onRules={() => go('/watch/rules')} />
        ) : null
      ) : (
        <SimulationRun simulation={simulation} />
      )}
    </>
  )
}

function EarlierRuns({
  earlier,
  shownId,
}: {
  earlier: readonly Pick<Simulation, 'simulationId' | 'at' | 'setup'>[]
  shownId: string
}) {
  const [, go] = useLocation()
  return (
    <select
      className={shared.word}
      aria-label="Earlier runs"
      value={shownId}
      onChange={(event) => go(`/watch/rehearsal/${event.currentTarget.value}`)}
    >
      {earlier.map((each) => (
        <option key={each.simulationId} value={each.simulationId}>
          {formatMoment(each.at, Date.now())}: {each.setup.titleB}
        </option>
      ))}
    </select>
  )
}

/** The length, size and start of the next simulation, and its button. */
function SimulationBar({
  simulation,
  rules,
  draft,
  canStart,
  earlier,
}: {
  simulation: Simulation | undefined
  rules: readonly RuleView[]
  draft: Draft | null
  canStart: boolean
  earlier: ReactNode
}) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const [days, setDays] = useState(30)
  const [offers, setOffers] = useState(20)
  const [beginsAt, setBeginsAt] = useState<Start>('now')
  const onError = (error: Error): void => void toastProblem(problemOf(error), null)
  const start = useMutation({
    mutationFn: () => {
      const [a, b] = rulesToCompare(rules, draft)
      return rpc.priceWatch.simulation.start({
        accountId,
        a,
        b,
        days,
        mostOffers: offers,
        from: beginsAt === 'now' ? null : Date.now() - Number(beginsAt) * DAY_MS,
      })
    },
    onSuccess: (begun) => go(`/watch/rehearsal/${begun.simulationId}`),
    onError,
  })
  const cancel = useMutation({
    mutationFn: (of: string) => rpc.priceWatch.simulation.cancel({ accountId, simulationId: of }),
    onError,
  })
  return (
    <Bar
      label="Simulation"
      end={
        <>
          {earlier}
          {simulation?.state === 'running' ? (
            <Button onClick={() => cancel.mutate(simulation.simulationId)}>Cancel</Button>
          ) : (
            <Button
              kind="primary"
              icon={
                simulation === undefined ? (
                  <IconFlask size={16} stroke={1.6} />
                ) : (
                  <IconRefresh size={16} stroke={1.6} />
                )
              }
              busy={start.isPending}
              disabled={!canStart}
              onClick={() => start.mutate()}
            >
              {simulation === undefined ? 'Simulate' : 'Run again'}
            </Button>
          )}
        </>
      }
    >
      <ModeBadge mode="sandbox" />
      <span className={styles.setup}>
        <NumberStepper label="Days" value={days} min={1} max={90} onChange={setDays} /> days{' '}
        <NumberStepper label="Offers" value={offers} min={1} max={100} onChange={setOffers} />{' '}
        offers, {draft === null ? 'saved rules' : `draft of ${draft.rule.name}`},{' '}
        <Word
          label="Start of the simulation"
          value={beginsAt}
          choices={starts}
          onChange={setBeginsAt}
        />
      </span>
    </Bar>
  )
}

function NoSimulations({ nothing, onRules }: { nothing: boolean; onRules: () => void }) {
  return (
    <EmptyState
      title="No simulations yet"
      text={
        nothing
          ? 'No rule is on. Open a rule and select Simulate, or turn on Proposes first.'
          : 'Copies of your offers, with price, cost and stock, compete on the bundled ' +
            'market. Nothing is sent to your account.'
      }
      actions={
        <Button onClick={onRules} autoFocus>
          View rules
        </Button>
      }
    />
  )
}

function SimulationRun({ simulation }: { simulation: Simulation }) {
  const { setup, state, a, b } = simulation
  if (state === 'failed' && simulation.problem !== null)
    return <ErrorState problem={simulation.problem} />
  if (state === 'cancelled') return <p className={shared.reason}>This simulation was cancelled.</p>
  if (a === null || b === null) {
    return (
      <div className={styles.running} role="status">
        <b>
          {t('counts.days', { count: setup.days })} of {t('counts.offers', { count: setup.offers })}
          , two sets of rules
        </b>
        <ProgressBar share={simulation.progress} label="Simulation" />
        <span>
          {Math.round(simulation.progress * 100)} %, running for{' '}
          {formatDuration(Date.now() - simulation.at)}. You can keep working.
        </span>
      </div>
    )
  }
  return <SimulationReport simulation={simulation} a={a} b={b} />
}
