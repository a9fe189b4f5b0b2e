import { t } from '../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { FigureStrip } from '../../ui/data-display/facts.tsx'
import { formatCents, formatClock, formatCount } from '../../ui/format.ts'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { DecisionsView } from './decisions/decisions-view.tsx'
import { HourLine } from './market/hour-line.tsx'
import { MarketView } from './market/market-view.tsx'
import styles from './price-watch.module.css'
import { SimulationView } from './simulation/simulation-view.tsx'
import { RulesView } from './rules/rules-view.tsx'
import { StopButton } from './status/stop-all.tsx'
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
            {overview === undefined ? null : (
              <span className={styles.auto}>
                {overview.stoppedAt === null ? (
                  <>
                    <Mark kind={overview.auto > 0 ? 'ok' : 'skip'} size={12} />
                    {t('screens.price-watch-auto-apply', {
                      auto: overview.auto,
                      count: overview.rules,
                    })}
                  </>
                ) : (
                  <>
                    <Mark kind="bad" size={12} />
                    Stopped since {formatClock(overview.stoppedAt)}
                  </>
                )}
              </span>
            )}
            <StopButton />
          </>
        }
      />
      {overview === undefined || overview.elsewhere.offers.length === 0 ? null : (
        <div className={styles.notice}>
          <Notice
            tone="warn"
            title={
              overview.elsewhere.suspended
                ? 'Another tool is also changing this shop’s prices. Rules only propose until you review.'
                : t('screens.price-watch-changed-elsewhere', {
                    count: overview.elsewhere.offers.length,
                  })
            }
            action={
              <Button onClick={() => proposals.releaseIds(overview.elsewhere.offers)}>
                Release offers
              </Button>
            }
          >
            {t('screens.price-watch-elsewhere', { count: overview.elsewhere.offers.length })}
          </Notice>
        </div>
      )}
      {view === 'market' ? (
        <>
          {overview === undefined ? null : (
            <div className={styles.figures}>
              <FigureStrip
                label="Price watch figures"
                figures={[
                  {
                    label: 'Leading',
                    value: formatCount(overview.counts.leading),
                    detail: `of ${formatCount(overview.counts.watched)} watched`,
                  },
                  {
                    label: 'Losing',
                    value: formatCount(overview.counts.losing),
                    detail: `${formatCount(overview.lostToday)} lost today`,
                  },
                  {
                    label: 'Estimated loss',
                    value: formatCents(overview.lostPerDayCents),
                    detail: 'EUR per day',
                  },
                  {
                    label: 'Proposals',
                    value: formatCount(overview.counts.proposals),
                    detail: 'to decide',
                  },
                  {
                    label: 'Time in the lead',
                    value:
                      overview.leadDay === null
                        ? 'unknown'
                        : `${(overview.leadDay * 100).toFixed(1)} %`,
                    detail: (
                      <>
                        24 h <HourLine shares={overview.leadHours} />
                      </>
                    ),
                  },
                ]}
              />
            </div>
          )}
          <MarketView openId={openId} onOpen={open} proposals={proposals} />
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
