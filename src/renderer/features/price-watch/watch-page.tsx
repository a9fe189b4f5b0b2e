import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { DecisionsView } from './decisions/decisions-view.tsx'
import { MarketView } from './market/market-view.tsx'
import { SimulationView } from './simulation/simulation-view.tsx'
import { RulesView } from './rules/rules-view.tsx'
import { StopButton } from './status/stop-all.tsx'
import { AutoApplyState, ChangedElsewhere, WatchFigures } from './watch-overview.tsx'
import { useProposals } from './market/use-proposals.ts'
import { WatchPanel } from './market/offer-panel.tsx'

const views = ['market', 'rules', 'decisions', 'rehearsal'] as const
type View = (typeof views)[number]
const isView = (word: string): word is View => (views as readonly string[]).includes(word)

/** The price watch page: market, rules, decisions, simulation. `/watch/:view/:id`. */
export function WatchPage({ view: asked, id }: { view: string | null; id: string | null }) {
  const account = useAccount()
  const [, go] = useLocation()
  const view: View = asked !== null && isView(asked) ? asked : 'market'
  const proposals = useProposals()
  const [hasChecked, setHasChecked] = useState(false)
  const overview = useQuery(
    api.priceWatch.overview.queryOptions({ input: { accountId: account.id } }),
  ).data
  const openId = view === 'market' ? id : null
  const open = (offerId: string | null): void =>
    go(offerId === null ? '/watch/market' : `/watch/market/${offerId}`, {
      replace: openId !== null,
    })
  const tabs = [
    { id: 'market' as const, label: 'Market' },
    { id: 'rules' as const, label: 'Rules', count: overview?.rules ?? null },
    { id: 'decisions' as const, label: 'Decisions' },
    { id: 'rehearsal' as const, label: 'Simulation' },
  ]
  return (
    <Page
      panel={
        openId === null ? undefined : (
          <WatchPanel
            key={openId}
            offerId={openId}
            proposals={proposals}
            hasChecked={hasChecked}
            onClose={() => open(null)}
          />
        )
      }
    >
      <PageHeader
        title="Price watch"
        beside={
          <CountTabs
            label="Price watch"
            value={view}
            tabs={tabs}
            onChange={(next) => go(`/watch/${next}`)}
          />
        }
        actions={
          <>
            {overview === undefined ? null : <AutoApplyState overview={overview} />}
            <StopButton />
          </>
        }
      />
      {overview === undefined ? null : (
        <ChangedElsewhere
          overview={overview}
          onRelease={() => proposals.releaseIds(overview.elsewhere.offers)}
        />
      )}
      {view === 'market' ? (
        <>
          {overview === undefined ? null : <WatchFigures overview={overview} />}
          <MarketView
            openId={openId}
            onOpen={open}
            onHasChecked={setHasChecked}
            proposals={proposals}
          />
        </>
      ) : view === 'rules' ? (
        <RulesView
          ruleId={id}
          onChoose={(ruleId) =>
            go(ruleId === null ? '/watch/rules' : `/watch/rules/${ruleId}`, { replace: true })
          }
        />
      ) : view === 'decisions' ? (
        <DecisionsView offerId={id} />
      ) : (
        <SimulationView simulationId={id} />
      )}
    </Page>
  )
}
