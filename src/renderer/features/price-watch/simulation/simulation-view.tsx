import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconFlask, IconRefresh } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { z } from 'zod'
import { priceRuleSchema } from '../../../../contract/price-watch/price-rules.ts'
import type { Simulation } from '../../../../contract/price-watch/price-simulation.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
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

/** The rule that the editor passed on for simulation, saved or not. */
function draftFromEditor(): z.infer<typeof draftSchema> | null {
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

/** Simulates two sets of rules on the bundled market, side by side. */
export function SimulationView({ simulationId }: { simulationId: string | null }) {
  const account = useAccount()
  const [, go] = useLocation()
  const [days, setDays] = useState(30)
  const [offers, setOffers] = useState(20)
  const [beginsAt, setBeginsAt] = useState<Start>('now')
  const handed = useMemo(() => draftFromEditor(), [])
  const rules = useQuery(
    api.priceWatch.rules.queryOptions({ input: { accountId: account.id } }),
  ).data
  const saved = rules?.find((rule) => rule.ruleId === handed?.ruleId)
  /**
   * A saved rule without changes isn't a draft: then the saved rules are compared with no rules.
   */
  const draft =
    handed === null ||
    saved === undefined ||
    JSON.stringify(saved.rule) === JSON.stringify(handed.rule)
      ? null
      : handed
  const earlier =
    useQuery(api.priceWatch.simulation.list.queryOptions({ input: { accountId: account.id } }))
      .data ?? []
  const id = simulationId ?? earlier[0]?.simulationId ?? null
  const query = useQuery({
    ...api.priceWatch.simulation.get.queryOptions({
      input: { accountId: account.id, simulationId: id ?? '' },
    }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 1000 : false),
  })
  const simulation = query.data
  const start = useMutation({
    mutationFn: () => {
      const inForce = (rules ?? []).filter(
        ({ mode, ruleId }) => mode !== 'off' || ruleId === draft?.ruleId,
      )
      const asSaved = inForce.filter(({ mode }) => mode !== 'off').map(({ rule }) => rule)
      const withDraft = inForce.map(({ ruleId, rule }) =>
        ruleId === draft?.ruleId ? draft.rule : rule,
      )
      const [a, b] =
        draft === null
          ? [
              { title: 'No rules', rules: [] },
              { title: 'Saved rules', rules: asSaved },
            ]
          : [
              { title: 'Saved rules', rules: asSaved },
              { title: `With draft of ${draft.rule.name}`.slice(0, 80), rules: withDraft },
            ]
      return rpc.priceWatch.simulation.start({
        accountId: account.id,
        a,
        b,
        days,
        mostOffers: offers,
        from: beginsAt === 'now' ? null : Date.now() - Number(beginsAt) * DAY_MS,
      })
    },
    onSuccess: (begun) => go(`/watch/rehearsal/${begun.simulationId}`),
    onError: (error) => {
      toastProblem(problemOf(error))
    },
  })
  const cancel = useMutation({
    mutationFn: (of: string) =>
      rpc.priceWatch.simulation.cancel({ accountId: account.id, simulationId: of }),
    onError: (error) => {
      toastProblem(problemOf(error))
    },
  })
  const running = simulation?.state === 'running'
  const nothing = rules !== undefined && rules.every(({ mode }) => mode === 'off') && draft === null
  return (
    <>
      <Bar
        label="Simulation"
        end={
          <>
            {earlier.length > 1 ? (
              <select
                className={shared.word}
                aria-label="Earlier runs"
                value={id ?? ''}
                onChange={(event) => go(`/watch/rehearsal/${event.currentTarget.value}`)}
              >
                {earlier.map((each) => (
                  <option key={each.simulationId} value={each.simulationId}>
                    {formatMoment(each.at, Date.now())}: {each.setup.titleB}
                  </option>
                ))}
              </select>
            ) : null}
            {running ? (
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
                disabled={nothing}
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
      {query.isError ? (
        <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      ) : null}
      {simulation === undefined ? (
        id === null ? (
          <NoSimulations nothing={nothing} onRules={() => go('/watch/rules')} />
        ) : null
      ) : (
        <SimulationRun simulation={simulation} />
      )}
    </>
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
