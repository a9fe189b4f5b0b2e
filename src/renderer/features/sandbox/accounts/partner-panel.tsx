import { useQuery } from '@tanstack/react-query'
import type { SandboxPartner } from '../../../../contract/sandbox/sandbox-accounts.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import { formatEur } from '../../../ui/format.ts'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import { KeysSection } from './keys-section.tsx'
import { EmailsSection } from './emails-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { NameSection } from './name-section.tsx'
import { StatusSection } from './status-section.tsx'
import { TopUpSection } from './top-up-section.tsx'
import { useSandboxAction } from '../use-sandbox-action.ts'
import { statusWords } from '../words.ts'

type Change = Parameters<typeof rpc.sandbox.accounts.changePartner>[0]['change']

/** One partner: money, status, limits, keys, and the e-mails from the service. */
export function PartnerPanel({
  partner,
  onClose,
}: {
  partner: SandboxPartner
  onClose: () => void
}) {
  const { id } = partner
  const now = useQuery(api.sandbox.accounts.partner.queryOptions({ input: { id } })).data
  const keys = useQuery(api.sandbox.accounts.partnerKeys.queryOptions({ input: { id } })).data
    ?.results
  const change = useSandboxAction(
    (change: Change) => rpc.sandbox.accounts.changePartner({ id, change }),
    (after, change) =>
      change.status === undefined
        ? { title: 'Saved', text: 'It applies from the next request on.' }
        : {
            title: `${after.name} is ${statusWords[after.status]?.word.toLowerCase() ?? after.status}`,
          },
  )
  return (
    <SidePanel
      title={partner.name}
      detail={`Partner · ${partner.email ?? 'no e-mail'} · price factor ${partner.priceFactor}`}
      onClose={onClose}
    >
      <PanelSection title="Balances">
        <Facts>
          <Fact label="LIVE" strong>
            {now === undefined ? '' : formatEur(now.balances.live)}
          </Fact>
          <Fact label="TEST">{now === undefined ? '' : formatEur(now.balances.test)}</Fact>
        </Facts>
      </PanelSection>
      <TopUpSection id={id} />
      <StatusSection
        status={partner.status}
        busy={change.isPending}
        onChange={(status) => change.mutate({ status })}
      />
      <LimitsSection
        key={`${partner.perOrderLimit} ${partner.dailyLimit} ${partner.ipAllowlist.join(' ')}`}
        partner={partner}
        busy={change.isPending}
        onChange={(limits) => change.mutate(limits)}
      />
      <KeysSection
        owner={partner.name}
        kind="partner"
        keys={keys}
        onRevoke={(keyId) => rpc.sandbox.accounts.revokePartnerKey({ id, keyId })}
        onMake={async ({ mode, scopes, expiresAt }) =>
          (
            await rpc.sandbox.accounts.createPartnerKey({
              id,
              key: { mode, scopes: [...scopes], expiresAt },
            })
          ).key
        }
      />
      <NameSection
        key={`${partner.name} ${partner.email ?? ''}`}
        name={partner.name}
        email={partner.email ?? null}
        busy={change.isPending}
        onChange={(named) => change.mutate(named)}
      />
      <EmailsSection id={id} />
    </SidePanel>
  )
}
