import { t } from '../../../../contract/localization/localized.ts'
import { type Cents, subtractCents, ZERO } from '../../../../../server/api/money.ts'
import type {
  Simulation,
  SimulationResult,
} from '../../../../contract/price-watch/price-simulation.ts'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import { formatCount, formatDay, formatDuration, formatMoment } from '../../../ui/format.ts'
import shared from '../price-watch.module.css'
import { profitDetail, said, saidDifference, verdict } from './simulation-figures.ts'
import type { Kind } from './simulation-figures.ts'
import { SimulationDays } from './simulation-days.tsx'
import styles from './simulation.module.css'

type Of = (set: SimulationResult) => number | null
interface LineOf {
  label: string
  of: Of
  kind: Kind
  /** Whether a higher value is better; null: neither. */ more: boolean | null
  detail?: (set: SimulationResult) => string
}

const lines: readonly LineOf[] = [
  { label: 'Time in the lead', of: ({ lead }) => lead, kind: 'share', more: true },
  { label: 'Units sold', of: ({ units }) => units, kind: 'count', more: true },
  {
    label: 'Revenue (you receive)',
    of: ({ revenueCents }) => revenueCents,
    kind: 'cents',
    more: true,
  },
  {
    label: 'Profit after cost',
    of: ({ profitCents }) => profitCents,
    kind: 'cents',
    more: true,
    detail: profitDetail,
  },
  {
    label: 'Price changes',
    of: ({ changes }) => changes,
    kind: 'count',
    more: false,
    detail: ({ raised }) => `${formatCount(raised)} up`,
  },
  { label: 'Held in price wars', of: ({ wars }) => wars, kind: 'count', more: false },
]
/**
 * Compares two sets of rules: figures with differences, values per day, the worst moment of each
 * set, and the offers with the largest differences.
 */
export function SimulationReport({
  simulation,
  a,
  b,
}: {
  simulation: Simulation
  a: SimulationResult
  b: SimulationResult
}) {
  const { setup } = simulation
  return (
    <div className={styles.result}>
      <div className={styles.resultMain}>
        <p className={styles.setupLine}>
          {formatCount(setup.days)} simulated days, {t('counts.offers', { count: setup.offers })}{' '}
          copied with price, cost and stock.{' '}
          {setup.from === null
            ? ''
            : `They start with data recorded on ${formatDay(setup.from)}, and the recorded ` +
              'best prices act as another rival. '}
          Both sets ran on the bundled market with the same start and seed.
        </p>
        <table className={styles.compare}>
          <thead>
            <tr>
              <td />
              <th scope="col">
                <i data-set="a" />
                A, {setup.titleA}
              </th>
              <th scope="col">
                <i data-set="b" />
                B, {setup.titleB}
              </th>
              <th scope="col">B compared with A</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Compared key={line.label} line={line} a={a} b={b} />
            ))}
          </tbody>
        </table>
        <SimulationDays a={a} b={b} />
        <div className={styles.worsts}>
          <Worst name="A" set={a} />
          <Worst name="B" set={b} />
        </div>
      </div>
      <Differences simulation={simulation} a={a} b={b} />
    </div>
  )
}

/** The offers with the largest differences, and how the run was set up. */
function Differences({
  simulation: { setup, tookMs },
  a,
  b,
}: {
  simulation: Simulation
  a: SimulationResult
  b: SimulationResult
}) {
  return (
    <aside className={styles.resultSide} aria-label="Differences">
      <h2>{verdict(a, b)}</h2>
      <table className={styles.differ}>
        <caption>Largest differences</caption>
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col">Units</th>
            <th scope="col">Revenue</th>
            <th scope="col">Changes</th>
          </tr>
        </thead>
        <tbody>
          {differing(a, b).map((each) => (
            <tr key={each.offerId}>
              <th scope="row" title={each.name}>
                {each.name}
              </th>
              <td>{saidDifference(each.units, 'count')}</td>
              <td
                data-good={each.revenueCents > 0 || undefined}
                data-worse={each.revenueCents < 0 || undefined}
              >
                {saidDifference(each.revenueCents, 'cents')}
              </td>
              <td>{saidDifference(each.changes, 'count')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Run details</h3>
      <Facts>
        <Fact label="Seed, intensity">
          {setup.seed}, {setup.intensity}
        </Fact>
        <Fact label="Rival sellers, customers">
          {formatCount(setup.sellers)}, {formatCount(setup.customers)}
        </Fact>
        <Fact label="Decisions">
          {formatCount(a.decisions)} and {formatCount(b.decisions)}
        </Fact>
        <Fact label="Rejected by pre-send check">
          {formatCount(a.refused)} and {formatCount(b.refused)}
        </Fact>
        <Fact label="Duration">{tookMs === null ? '' : `${(tookMs / 1000).toFixed(1)} s`}</Fact>
      </Facts>
      <p className={shared.reason}>
        <b>The market is simulated.</b> Compare the sets with each other, don’t take the amounts as
        a forecast. Nothing was sent to your account.
      </p>
    </aside>
  )
}

const differing = (
  a: SimulationResult,
  b: SimulationResult,
): { offerId: string; name: string; units: number; revenueCents: Cents; changes: number }[] => {
  const before = new Map(a.offers.map((offer) => [offer.offerId, offer]))
  return b.offers
    .map((offer) => {
      const other = before.get(offer.offerId)
      return {
        offerId: offer.offerId,
        name: offer.name,
        units: offer.units - (other?.units ?? 0),
        revenueCents: subtractCents(offer.revenueCents, other?.revenueCents ?? ZERO),
        changes: offer.changes - (other?.changes ?? 0),
      }
    })
    .sort((one, two) => Math.abs(two.revenueCents) - Math.abs(one.revenueCents))
    .slice(0, 8)
}

function Compared({
  line: { label, of, kind, more, detail },
  a,
  b,
}: {
  line: LineOf
  a: SimulationResult
  b: SimulationResult
}) {
  const [first, second] = [of(a), of(b)]
  const most = Math.max(Math.abs(first ?? 0), Math.abs(second ?? 0), kind === 'share' ? 0.01 : 1)
  const by = first === null || second === null ? null : second - first
  const cell = (set: SimulationResult, value: number | null, name: 'a' | 'b') => (
    <td>
      <b>{said(value, kind)}</b>
      {detail === undefined ? null : <small> {detail(set)}</small>}
      <span className={styles.bar}>
        <i data-set={name} style={{ width: `${(100 * Math.max(0, value ?? 0)) / most}%` }} />
      </span>
    </td>
  )
  return (
    <tr>
      <th scope="row">{label}</th>
      {cell(a, first, 'a')}
      {cell(b, second, 'b')}
      <td
        data-good={(by !== null && more !== null && by !== 0 && by > 0 === more) || undefined}
        data-worse={(by !== null && more !== null && by !== 0 && by > 0 !== more) || undefined}
      >
        {by === null ? '' : by === 0 ? 'same' : saidDifference(by, kind)}
      </td>
    </tr>
  )
}

function Worst({ name, set: { worst } }: { name: string; set: SimulationResult }) {
  if (worst === null)
    return (
      <section>
        <h3>Worst moment of {name}</h3>
        <p>No offer lost its lead.</p>
      </section>
    )
  return (
    <section>
      <h3>
        Worst moment of {name}{' '}
        <small>
          day {worst.day + 1}, {formatMoment(worst.at, worst.at).replace('today, ', '')}
        </small>
      </h3>
      <p>
        The lead was lost {t('counts.times', { count: worst.lost })} within 3 hours
        {worst.limited === 0 ? '' : `, ${formatCount(worst.limited)} had reached the daily limit`}
        {worst.wars === 0 ? '' : `, ${formatCount(worst.wars)} were held in a price war`}.{' '}
        {worst.recoveredMs === null
          ? 'The number of leading offers never recovered.'
          : `The number of leading offers recovered after ${formatDuration(worst.recoveredMs)}.`}
      </p>
    </section>
  )
}
