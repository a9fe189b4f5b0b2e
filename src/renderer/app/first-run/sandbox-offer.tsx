import { useMutation } from '@tanstack/react-query'
import {
  IconAdjustmentsHorizontal,
  IconArrowRight,
  IconBooks,
  IconBuildingStore,
  IconShoppingBag,
} from '@tabler/icons-react'
import type { KeychainState } from '../../../contract/app/app.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { ModeBadge } from '../../ui/data-display/identity/mode-badge.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { preloadHome } from '../pages/page-routes.tsx'
import { useChangeSettings } from '../use-app-state.ts'
import styles from './first-run.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** One click starts the bundled backend and connects its demo seller and demo partner. */
export function SandboxOffer({
  keychain,
  onStarted,
}: {
  keychain: KeychainState | undefined
  onStarted: () => void
}) {
  const change = useChangeSettings()
  const noKeychain = keychain !== undefined && !keychain.available
  const start = useMutation({
    mutationFn: () => {
      preloadHome()
      return rpc.sandbox.start({ keep: noKeychain ? 'session' : 'keychain' })
    },
    onSuccess: async (sandbox, _variables, _context, { client }) => {
      await client.invalidateQueries({ queryKey: api.accounts.key() })
      const front =
        sandbox.accounts.find((account) => account.role === 'seller') ?? sandbox.accounts[0]
      if (front !== undefined) change({ currentAccountId: front.id })
      onStarted()
    },
  })
  const problem = start.isError ? problemOf(start.error) : null
  return (
    <section className={styles.sandbox}>
      <div className={styles.sandboxHead}>
        <h2>Try it in the sandbox</h2>
        <ModeBadge mode="sandbox" />
      </div>
      <p>A complete marketplace on this computer, with test money. No account needed.</p>
      <ul>
        <li>
          <IconBooks {...icon} />
          2,000 products, and competitors that change their prices
        </li>
        <li>
          <IconBuildingStore {...icon} />A demo seller with offers, sales and disputes
        </li>
        <li>
          <IconShoppingBag {...icon} />A demo partner with a balance to spend
        </li>
        <li>
          <IconAdjustmentsHorizontal {...icon} />
          You control the clock, faults and market
        </li>
      </ul>
      <div className={styles.sandboxAct}>
        {problem === null ? null : <ProblemNotice problem={problem} />}
        <Button
          size="lg"
          kind="sandbox"
          wide
          busy={start.isPending}
          disabled={keychain === undefined}
          onClick={() => start.mutate()}
        >
          Start the sandbox
          <IconArrowRight size={16} stroke={1.8} aria-hidden className={styles.arrow} />
        </Button>
        <small role="status">
          {start.isPending
            ? 'Creating the marketplace and connecting its accounts…'
            : noKeychain
              ? 'This computer has no keychain: the sandbox’s test keys stay in memory until Keydesk quits.'
              : 'Takes a few seconds. Nothing leaves this computer.'}
        </small>
      </div>
    </section>
  )
}
