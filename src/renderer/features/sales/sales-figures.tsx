import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../lib/current-account.ts'
import { api } from '../../lib/rpc.ts'
import { FigureStrip } from '../../ui/facts.tsx'
import { formatCents, formatCount, formatMoment } from '../../ui/format.ts'
import { type Period, periodWords } from './periods.ts'

interface Sum { cents: number; sales: number }

/** Available, pending as its sum, and what the chosen time earned. */
export function SalesFigures({ period, earned }: { period: Period; earned: { earned: Sum; refunded: Sum } | undefined }) {
  const { id: accountId } = useAccount()
  const balance = useQuery(api.balance.now.queryOptions({ input: { accountId } })).data
  const pending = useQuery(api.sales.pending.queryOptions({ input: { accountId } })).data
  const reading = balance?.reading ?? null
  const told = (cents: number | null | undefined): string => (cents == null ? 'unknown' : formatCents(cents))
  const sales = (sum: Sum | undefined): { detail?: string } => (sum === undefined ? {} : { detail: `${formatCount(sum.sales)} ${sum.sales === 1 ? 'sale' : 'sales'}` })
  const pendingCents = reading?.pendingCents ?? null
  // Held = pending without what is on its way to its release.
  const upcoming = (balance?.upcoming ?? []).reduce((sum, { cents }) => sum + cents, 0)
  const held = pendingCents === null ? pending?.held.cents ?? 0 : pendingCents - upcoming
  return (
    <FigureStrip label="Balance and earnings" figures={[
      { label: 'Available', value: told(reading?.availableCents), detail: reading === null ? 'EUR, not read yet' : `EUR, read ${formatMoment(reading.at, Date.now())}` },
      { label: 'Pending', value: told(pendingCents), detail: `= ${formatCents(pendingCents === null ? 0 : upcoming)} within 7 days + ${formatCents(held)} held` },
      { label: `Earned ${periodWords[period]}`, value: earned === undefined ? '–' : formatCents(earned.earned.cents), ...sales(earned?.earned) },
      { label: `Refunded ${periodWords[period]}`, value: earned === undefined ? '–' : formatCents(earned.refunded.cents), ...sales(earned?.refunded) },
    ]} />
  )
}
