import { IconX } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { IconButton } from '../../ui/controls/buttons/button.tsx'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import { flag, useListSettings } from '../../ui/table/saved/list-settings.ts'
import { firstSteps, isDone } from './first-steps.ts'
import { useOpenPlace } from './open-list.tsx'
import styles from './first-steps.module.css'

const parts = { dismissed: flag }
/** Entries that one step examines, newest first. */
const examined = 50

/** What to try first in a sandbox. Each step ticks when it was done; people can dismiss the card. */
export function FirstSteps() {
  const account = useAccount()
  const open = useOpenPlace()
  const [{ dismissed }, look] = useListSettings('first-steps', account.id, parts)
  const steps = firstSteps[account.role]
  const isShown = account.mode === 'sandbox' && !dismissed
  const found = useQueries({
    queries: steps.map(({ query }) => ({
      ...api.activity.list.queryOptions({
        input: { accountId: account.id, query, window: { offset: 0, limit: examined } },
      }),
      enabled: isShown,
    })),
  })
  const batches = useQuery({
    ...api.batches.list.queryOptions({ input: { accountId: account.id } }),
    enabled: isShown && account.role === 'seller',
  }).data?.batches.length
  if (!isShown || found.some(({ data }) => data === undefined)) return null
  const done = steps.map((step, index) =>
    isDone(step, found[index]?.data?.rows ?? [], { batches: batches ?? 0 }),
  )
  const count = done.filter(Boolean).length
  return (
    <section className={styles.card} aria-label="First steps">
      <header>
        <h2>First steps</h2>
        <span>
          {count === steps.length
            ? 'All done. Everything here is test data.'
            : `${count} of ${steps.length} done`}
        </span>
        <IconButton label="Dismiss first steps" onClick={() => look({ dismissed: true })}>
          <IconX size={16} stroke={1.6} />
        </IconButton>
      </header>
      <ol>
        {steps.map(({ id, title, text, place }, index) => (
          <li key={id} data-done={done[index] || undefined}>
            {done[index] ? (
              <Mark kind="ok" size={18} label="Done" />
            ) : (
              <i aria-hidden>{index + 1}</i>
            )}
            <div>
              <a
                href={`#${place.path}`}
                onClick={(event) => {
                  event.preventDefault()
                  open(place)
                }}
              >
                {title}
              </a>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
